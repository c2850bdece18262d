import { contactFields } from '@limber/contract/support/customers/account.ts'
import { type RawBuilder, sql } from 'kysely'
import { eraseAuditValues } from '#platform/audit/history.ts'
import { ERASED, type Erased } from '#platform/customer-hooks.ts'
import type { Db, Row } from '#platform/db/db.ts'
import { withoutPerson } from '#platform/db/without-person.ts'
import { eraseInbound, eraseMailbox, eraseMessages } from '#platform/outbox/change-messages.ts'
import { eraseEvents } from '#platform/telemetry/take-events.ts'
import { ERASED_NUMBER } from '../texts/text.rules.ts'

/**
 * Why account `c` cannot be erased. Payroll and tax records must keep the name of every person who worked, paid or not.
 * A stretcher who never worked can be erased after deactivation.
 */
export const eraseConflict = sql<'has_worked' | 'is_stretcher' | null>`(
  select case
    when exists (select from earners e where e.stretcher_id = s.id)
      or exists (select from bookings b where b.stretcher_id = s.id and b.status <> 'cancelled')
      or exists (select from onsite_sessions o where o.stretcher_id = s.id and o.cancelled_at is null) then 'has_worked'
    when s.status <> 'inactive' then 'is_stretcher' end
  from stretchers s where s.customer_id = c.id)`

export type CustomerContact = Pick<Row<'customers'>, 'id' | 'email' | 'first_name' | 'last_name' | 'phone'>

/** An account with all duplicates that were merged into it. */
export async function findWithDuplicates(db: Db, id: number): Promise<CustomerContact[]> {
  const { rows } = await sql<CustomerContact>`
    with recursive person as (
      select id, email, first_name, last_name, phone from customers where id = ${id}
      union select c.id, c.email, c.first_name, c.last_name, c.phone from person p join customers c on c.merged_into_id = p.id)
    select id, email, first_name, last_name, phone from person`.execute(db)
  return rows
}

/** `hashes` find the person's emails in the log; `sealed` replaces the recipient there. */
interface Recipient {
  hashes: readonly string[]
  sealed: { to_sealed: Buffer; to_hash: string; key_id: string }
}

/** Erases all personal data under every account and address. Bookings and payments stay, without a name. */
export async function eraseRecords(
  db: Db,
  erased: Erased,
  { hashes, sealed }: Recipient,
  others: readonly RawBuilder<unknown>[],
) {
  const { id, address, now } = erased
  const ids = sql`any(${erased.ids}::bigint[])`
  const emails = sql`any(${erased.emails}::text[])`
  const theirEmails = sql`(customer_id = ${ids} or to_hash = any(${hashes}::text[]))`
  // A number shared with another account stays.
  const theirTexts = sql`(
    number in (select phone from customers where id = ${ids}) and not exists (
      select from customers o where o.phone = texts.number and not o.id = ${ids}
        and o.erased_at is null and o.merged_into_id is null))`
  const queued = sql`
    select outbox_key from email_logs where ${theirEmails}
    union all select outbox_key from texts where ${theirTexts}
    union all select outbox_key from notification_recipients where customer_id = ${ids}`
  const parts = [
    ...others,
    eraseAuditValues('customer', sql`select unnest(${erased.ids}::bigint[])`),
    ...eraseEvents(erased),
    eraseMessages(queued, erased),
    eraseInbound(
      'ticket_message',
      sql`select inbound_key from ticket_messages where ticket_id in (select id from their_tickets)`,
    ),
    eraseInbound('text_message', sql`select sid from texts where ${theirTexts}`),
    // Includes emails to the person's previous addresses.
    eraseMailbox(erased.emails, sql`select outbox_key from email_logs where customer_id = ${ids}`),
    sql`update ticket_messages set content = ${ERASED}, inbound_key = null, sender = null where ticket_id in (select id from their_tickets)`,
    sql`update ticket_emails set quoted = '', html = null where message_id in (
      select id from ticket_messages where ticket_id in (select id from their_tickets))`,
    sql`delete from image_senders where address = ${emails}`,
    sql`update ticket_ratings set comment = null where ticket_id in (select id from their_tickets) and comment is not null`,
    sql`update ticket_notes set content = ${ERASED} where ticket_id in (select id from their_tickets)`,
    sql`update tickets set subject = ${ERASED}, customer_id = ${id}, customer_email = ${address}, version = version + 1
      where id in (select id from their_tickets)`,
    sql`delete from customer_notes where customer_id = ${ids}`,
    sql`update email_logs set content_sealed = null, subject = ${ERASED}, to_sealed = ${sealed.to_sealed},
      to_hash = ${sealed.to_hash}, key_id = ${sealed.key_id} where ${theirEmails}`,
    sql`update bookings set feedback = null, feedback_at = null, cancel_reason = null
      where customer_id = ${ids} and (feedback is not null or cancel_reason is not null)`,
    sql`update credit_entries set reason = ${ERASED} where customer_id = ${ids} and reason is not null`,
    sql`update rewards set details = ${ERASED} where customer_id = ${ids}`,
    sql`update texts set body = ${ERASED}, media = 0, error = null,
      from_number = case when is_outgoing then from_number else ${ERASED_NUMBER} end,
      to_number = case when is_outgoing then ${ERASED_NUMBER} else to_number end
      where ${theirTexts}`,
  ]
  await sql`
    with their_tickets as (select id from tickets where customer_id = ${ids} or (customer_id is null and customer_email = ${emails})),
    ${sql.join(parts.map((part, i) => sql`${sql.id(`part_${i}`)} as (${part})`))}
    update customers set ${withoutPerson(contactFields, sql`'erased-' || id || '@erased.invalid'`)},
      address_line = null, city = null, state = null, postal_code = null, latitude = null, longitude = null, zone_id = null,
      zone_precision = null, corrected_at = '{}',
      email_verified_at = null, erased_at = ${now}, blocked_at = coalesce(blocked_at, ${now}), blocked_reason = 'Erased', version = version + 1
    where id = ${ids}`.execute(db)
}
