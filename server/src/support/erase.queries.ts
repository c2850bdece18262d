import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import { ERASED_NUMBER } from './text.rules.ts'

const ERASED = '[Erased]'

/** The address that stands in place of an erased one. */
export const erasedAddress = (id: number) => `erased-${id}@erased.invalid`

/**
 * Why account c cannot be erased. Payroll and tax records must keep the name of everybody who worked, paid or not yet; who
 * was hired and never worked is known to nobody else.
 */
export const eraseBar = sql<'has_worked' | 'is_stretcher' | null>`(
  select case
    when exists (select from earners e where e.stretcher_id = s.id)
      or exists (select from bookings b where b.stretcher_id = s.id and b.status <> 'cancelled')
      or exists (select from onsite_sessions o where o.stretcher_id = s.id and o.cancelled_at is null) then 'has_worked'
    when s.status <> 'inactive' then 'is_stretcher' end
  from stretchers s where s.customer_id = c.id)`

/** An account with every duplicate that was merged into it: all of them are one person. */
export async function findPerson(db: Db, id: number): Promise<{ id: number; email: string }[]> {
  const { rows } = await sql<{ id: number; email: string }>`
    with recursive person as (
      select id, email from customers where id = ${id}
      union select c.id, c.email from person p join customers c on c.merged_into_id = p.id)
    select id, email from person`.execute(db)
  return rows
}

interface Erased {
  /** The account that stayed. */
  id: number
  person: readonly { id: number; email: string }[]
  /** What finds the person's mails. */
  recipientHashes: readonly string[]
  /** The recipient that stands in the e-mail log from now on. */
  recipient: { to_sealed: Buffer; to_hash: string; key_id: string }
  /** What stands in the outbox in place of what went to the person, or was to go. */
  emptied: Buffer
  workerId: number
}

/** Texts with the accounts `ids`; a number that another account has too stays theirs. */
const theirTexts = (ids: RawBuilder<unknown>) => sql`(
  number in (select phone from customers where id = ${ids}) and not exists (
    select from customers o where o.phone = texts.number and not o.id = ${ids}
      and o.erased_at is null and o.merged_into_id is null))`

/**
 * Empties what the outbox holds for the person: what still waits or was given up is discarded, what went out keeps its day.
 * `theirMails` and `theirTexts` tell which.
 */
const forgetPosted = (
  {
    ids,
    theirMails,
    emptied,
    workerId,
  }: Pick<Erased, 'emptied' | 'workerId'> & Record<'ids' | 'theirMails', RawBuilder<unknown>>,
  now: Date,
) => {
  const isUnsent = sql`state in ('waiting', 'dead')`
  return sql`
    update outbox set payload = ${emptied}, state = case when ${isUnsent} then 'discarded' else state end,
      discarded_at = case when ${isUnsent} then ${now}::timestamptz else discarded_at end,
      discarded_by = case when ${isUnsent} then ${workerId}::bigint else discarded_by end,
      discard_reason = case when ${isUnsent} then 'The customer was erased' else discard_reason end
    where key in (
      select outbox_key from email_logs where ${theirMails}
      union all select outbox_key from texts where ${theirTexts(ids)}
      union all select outbox_key from notification_recipients where customer_id = ${ids})`
}

/** Takes away what identifies a person, under every account and address; bookings and payments stay as figures without a name. */
export async function eraseRecords(db: Db, erased: Erased, now: Date) {
  const { id, person, recipientHashes, recipient } = erased
  const address = erasedAddress(id)
  const ids = sql`any(${person.map((one) => one.id)}::bigint[])`
  const emails = sql`any(${person.map(({ email }) => email)}::text[])`
  const theirMails = sql`(customer_id = ${ids} or to_hash = any(${recipientHashes}::text[]))`
  await sql`
    with asked as (select id from tickets where customer_id = ${ids} or (customer_id is null and customer_email = ${emails})),
    m as (update ticket_messages set content = ${ERASED}, inbound_key = null where ticket_id in (select id from asked)),
    i as (update ticket_notes set content = ${ERASED} where ticket_id in (select id from asked)),
    t as (update tickets set subject = ${ERASED}, customer_id = ${id}, customer_email = ${address}, version = version + 1
      where id in (select id from asked)),
    n as (delete from customer_notes where customer_id = ${ids}),
    e as (update email_logs set content_sealed = null, subject = ${ERASED}, to_sealed = ${recipient.to_sealed},
      to_hash = ${recipient.to_hash}, key_id = ${recipient.key_id} where ${theirMails}),
    p as (${forgetPosted({ ...erased, ids, theirMails }, now)}),
    f as (update bookings set feedback = null, feedback_at = null where customer_id = ${ids} and feedback is not null),
    o as (update onsite_participants set name = 'Erased', email = ${address}, customer_id = null
      where customer_id = ${ids} or lower(email) = ${emails}),
    own as (select id from leads where customer_id = ${ids} or email = ${emails}
      union select lead_id from merged_leads where email = ${emails}),
    l as (update leads set first_name = 'Erased', last_name = 'Customer', email = null, phone = null, lost_reason = null, answers = '[]', version = version + 1
      where id in (select id from own)),
    h as (update merged_leads set first_name = 'Erased', last_name = 'Customer', email = null, phone = null
      where lead_id in (select id from own)),
    j as (update lead_notes set content = ${ERASED} where lead_id in (select id from own)),
    k as (update lead_steps set reason = null where lead_id in (select id from own) and reason is not null),
    x as (update texts set body = ${ERASED}, media = 0,
      from_number = case when is_outgoing then from_number else ${ERASED_NUMBER} end,
      to_number = case when is_outgoing then ${ERASED_NUMBER} else to_number end
      where ${theirTexts(ids)}),
    q as (update certifications set name = 'Erased Customer', version = version + 1 where customer_id = ${ids}),
    s as (update stretchers set first_name = 'Erased', last_name = 'Stretcher', email = ${address}, date_of_birth = null,
      deactivated_reason = null, version = version + 1 where customer_id = ${ids}),
    v as (update events set user_id = null, ip_address = null where user_id = ${ids})
    update customers set first_name = 'Erased', last_name = 'Customer', email = 'erased-' || id || '@erased.invalid', phone = null,
      address_line = null, city = null, state = null, postal_code = null, latitude = null, longitude = null, zone_id = null,
      email_verified_at = null, erased_at = ${now}, blocked_at = coalesce(blocked_at, ${now}), blocked_reason = 'Erased', version = version + 1
    where id = ${ids}`.execute(db)
}
