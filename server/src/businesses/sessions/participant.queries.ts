import { sql } from 'kysely'
import type { Erased } from '#platform/customer-hooks.ts'
import type { Db } from '#platform/db/db.ts'
import { eraseMessages } from '#platform/outbox/change-messages.ts'

/** Removes a person from slots of on-site sessions, from the emails about them, and from the allowed emails. */
export function eraseParticipant(erased: Erased) {
  const { ids, emails, address } = erased
  const theirSlots = sql`(o.customer_id = any(${ids}::bigint[]) or lower(o.email) = any(${emails}::text[]))`
  // Matches the keys that onsite.mails.ts uses for participants.
  const keys = sql`
    select 'onsite:' || o.session_id || ':' || v || ':slot-' || o.slot from onsite_participants o
      join onsite_sessions s on s.id = o.session_id cross join generate_series(0, s.version) v where ${theirSlots}`
  return [
    eraseMessages(keys, erased),
    sql`delete from business_emails where email = any(${emails}::text[])`,
    sql`update onsite_participants o set name = 'Erased', email = ${address}, customer_id = null where ${theirSlots}`,
  ]
}

export const mergeParticipant = (db: Db, from: number, into: number) =>
  sql`update onsite_participants set customer_id = ${into} where customer_id = ${from}`.execute(db)
