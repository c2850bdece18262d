import { leadFields } from '@limber/contract/marketing/leads/lead.ts'
import { contactFields } from '@limber/contract/support/customers/account.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { withoutPerson } from '#platform/db/without-person.ts'
import { failureBody, Refusal } from '#platform/http/refusal.ts'
import { ERASED_NUMBER } from '../texts/text.rules.ts'

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

export interface Account {
  id: number
  email: string
  first_name: string
  last_name: string
  phone: string | null
}

/** An account with every duplicate that was merged into it: all of them are one person. */
export async function findPerson(db: Db, id: number): Promise<Account[]> {
  const { rows } = await sql<Account>`
    with recursive person as (
      select id, email, first_name, last_name, phone from customers where id = ${id}
      union select c.id, c.email, c.first_name, c.last_name, c.phone from person p join customers c on c.merged_into_id = p.id)
    select id, email, first_name, last_name, phone from person`.execute(db)
  return rows
}

interface Erased {
  /** The account that stayed. */
  id: number
  person: readonly Account[]
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
 * `theirMails`, `theirTexts` and `theirSlots` tell which.
 */
const forgetPosted = (
  {
    ids,
    theirMails,
    theirSlots,
    emptied,
    workerId,
  }: Pick<Erased, 'emptied' | 'workerId'> & Record<'ids' | 'theirMails' | 'theirSlots', RawBuilder<unknown>>,
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
      -- As onsite.mails.ts names what it sends to the slots of a session.
      union all select 'onsite:' || o.session_id || ':' || v || ':slot-' || o.slot from onsite_participants o
        join onsite_sessions s on s.id = o.session_id cross join generate_series(0, s.version) v where ${theirSlots}
      union all select outbox_key from notification_recipients where customer_id = ${ids})`
}

const GONE = JSON.stringify(failureBody(new Refusal(410, 'gone', 'This customer was erased.')))

/**
 * Empties replies that are kept for a day under an idempotency key and name the person. The key stays, so that a
 * request which is sent again is still not carried out twice.
 */
function forgetReplies(person: readonly Account[]): RawBuilder<unknown> {
  const words = person.flatMap(({ email, first_name, last_name, phone }) => [email, first_name, last_name, phone])
  const found = words
    .filter((word) => word !== null && word !== '')
    .map((word) =>
      JSON.stringify(word)
        .slice(1, -1)
        .replace(/[^\p{L}\p{N}]/gu, (sign) => `\\${sign}`),
    )
  const pattern = `(^|\\W)(${found.join('|')})($|\\W)`
  return sql`update idempotency_keys set status = 410, body = ${GONE} where body ~* ${pattern}`
}

/** Takes away what identifies a person, under every account and address; bookings and payments stay as figures without a name. */
export async function eraseRecords(db: Db, erased: Erased, now: Date) {
  const { id, person, recipientHashes, recipient } = erased
  const address = erasedAddress(id)
  const ids = sql`any(${person.map((one) => one.id)}::bigint[])`
  const emails = sql`any(${person.map(({ email }) => email)}::text[])`
  const theirSlots = sql`(o.customer_id = ${ids} or lower(o.email) = ${emails})`
  const theirMails = sql`(customer_id = ${ids} or to_hash = any(${recipientHashes}::text[]))`
  await sql`
    with asked as (select id from tickets where customer_id = ${ids} or (customer_id is null and customer_email = ${emails})),
    -- Before their keys go: what brought their messages.
    b as (update inbound_events e set key = 'erased-' || e.id, fields = '[]', address = null, request_id = null
      where e.id in (
        select i.id from ticket_messages m join inbound_events i on i.kind = 'ticket_message' and i.key = m.inbound_key
          where m.ticket_id in (select id from asked)
        union all select i.id from texts join inbound_events i on i.kind = 'text_message' and i.key = texts.sid
          where ${theirTexts(ids)})),
    m as (update ticket_messages set content = ${ERASED}, inbound_key = null where ticket_id in (select id from asked)),
    i as (update ticket_notes set content = ${ERASED} where ticket_id in (select id from asked)),
    t as (update tickets set subject = ${ERASED}, customer_id = ${id}, customer_email = ${address}, version = version + 1
      where id in (select id from asked)),
    n as (delete from customer_notes where customer_id = ${ids}),
    e as (update email_logs set content_sealed = null, subject = ${ERASED}, to_sealed = ${recipient.to_sealed},
      to_hash = ${recipient.to_hash}, key_id = ${recipient.key_id} where ${theirMails}),
    p as (${forgetPosted({ ...erased, ids, theirMails, theirSlots }, now)}),
    f as (update bookings set feedback = null, feedback_at = null, cancel_reason = null
      where customer_id = ${ids} and (feedback is not null or cancel_reason is not null)),
    c as (update credit_entries set reason = ${ERASED} where customer_id = ${ids} and reason is not null),
    r as (update referral_reviews set reason = ${ERASED} where customer_id = ${ids}),
    w as (update rewards set details = ${ERASED} where customer_id = ${ids}),
    d as (update certifications set name = 'Erased Customer', version = version + 1,
      revoke_reason = case when revoke_reason is null then null else ${ERASED} end where customer_id = ${ids}),
    a as (update training_attempts set answers = '{}' where customer_id = ${ids} and answers is not null),
    g as (delete from business_emails where email = ${emails}),
    o as (update onsite_participants o set name = 'Erased', email = ${address}, customer_id = null where ${theirSlots}),
    own as (select id from leads where customer_id = ${ids} or email = ${emails}
      union select lead_id from merged_leads where email = ${emails}),
    l as (update leads set ${withoutPerson(leadFields)}, lost_reason = null, answers = '[]', version = version + 1
      where id in (select id from own)),
    h as (update merged_leads set ${withoutPerson(leadFields)}
      where lead_id in (select id from own)),
    j as (update lead_notes set content = ${ERASED} where lead_id in (select id from own)),
    k as (update lead_steps set reason = null where lead_id in (select id from own) and reason is not null),
    x as (update texts set body = ${ERASED}, media = 0, error = null,
      from_number = case when is_outgoing then from_number else ${ERASED_NUMBER} end,
      to_number = case when is_outgoing then ${ERASED_NUMBER} else to_number end
      where ${theirTexts(ids)}),
    s as (update stretchers set first_name = 'Erased', last_name = 'Stretcher', email = ${address}, date_of_birth = null,
      deactivated_reason = null, version = version + 1 where customer_id = ${ids}),
    v as (update events set user_id = null, ip_address = null, url = path where user_id = ${ids}),
    y as (update error_groups set newest_text = null where id in (select group_id from error_people where person = ${ids})),
    z as (update event_failures set user_id = null, address = null, url = path, text = null, request_id = null
      where user_id = ${ids}),
    -- Also what went to an address that the person had before.
    q as (delete from mailbox where lower(to_address) = ${emails} or 'mailbox-' || id in (
      select o.outside_id from email_logs g join outbox o on o.key = g.outbox_key where g.customer_id = ${ids})),
    u as (${forgetReplies(person)})
    update customers set ${withoutPerson(contactFields, sql`'erased-' || id || '@erased.invalid'`)}, address_line = null, city = null, state = null, postal_code = null, latitude = null, longitude = null, zone_id = null,
      email_verified_at = null, erased_at = ${now}, blocked_at = coalesce(blocked_at, ${now}), blocked_reason = 'Erased', version = version + 1
    where id = ${ids}`.execute(db)
}
