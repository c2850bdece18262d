import type { Rating } from '@limber/contract/support/ratings/rating.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { isSuppressedSql } from '#platform/mail/suppressions.ts'
import { replyTo } from '../tickets/reply-to.queries.ts'

const ERASED_ADDRESS = 'erased-%@erased.invalid'

export interface RatingSettingsRow {
  is_on: boolean
  since: Date | null
  version: number
}

export const findRatingSettings = (db: Db): Promise<RatingSettingsRow> =>
  db.selectFrom('rating_settings').select(['is_on', 'since', 'version']).executeTakeFirstOrThrow()

export const lockRatingSettings = (db: Db): Promise<RatingSettingsRow> =>
  db.selectFrom('rating_settings').select(['is_on', 'since', 'version']).forUpdate().executeTakeFirstOrThrow()

export const saveRatingSettings = (db: Db, isOn: boolean, workerId: number, now: Date) =>
  db
    .updateTable('rating_settings')
    .set({ is_on: isOn, since: isOn ? now : null, changed_by: workerId, version: sql`version + 1` })
    .execute()

export interface ClosedTicket {
  id: number
  subject: string
  customer_id: number | null
  /** The address that the customer last wrote from. */
  customer_email: string
  first_name: string | null
  /** A person can be asked: we responded, and the address neither opted out nor bounced. */
  may_ask: boolean
}

/**
 * Closed tickets about which nobody was asked, locked. Spam and tickets without a response are closed too; they are
 * returned so that they are not looked at again.
 */
export async function takeClosed(
  db: Db,
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<ClosedTicket[]> {
  const { rows } = await sql<ClosedTicket>`
    with found as materialized (
      select x.ticket_id as id from ticket_times x
      where x.closed_at >= ${from} and x.closed_at <= ${to}
        and not exists (select from ticket_ratings r where r.ticket_id = x.ticket_id)
      order by x.closed_at limit ${limit})
    select t.id, t.subject, t.customer_id, a.email as customer_email, c.first_name,
      x.first_reply_at is not null and a.email not like ${ERASED_ADDRESS}
        and not ${isSuppressedSql('mail', sql`a.email`)} as may_ask
    from found join tickets t on t.id = found.id join ticket_times x on x.ticket_id = t.id
    cross join lateral (select ${replyTo} as email) a
    left join customers c on c.id = t.customer_id
    where t.status = 'closed' and t.merged_into_id is null order by t.id for no key update of t skip locked`.execute(db)
  return rows
}

/** Of those given, the tickets that nobody considered before. */
export async function insertRatings(
  db: Db,
  rows: readonly { ticketId: number; key: string | null }[],
  now: Date,
): Promise<Set<number>> {
  if (rows.length === 0) return new Set()
  const inserted = await db
    .insertInto('ticket_ratings')
    .values(
      rows.map(({ ticketId, key }) => ({
        ticket_id: ticketId,
        created_at: now,
        asked_at: key === null ? null : now,
        outbox_key: key,
      })),
    )
    .onConflict((clash) => clash.column('ticket_id').doNothing())
    .returning('ticket_id')
    .execute()
  return new Set(inserted.map(({ ticket_id }) => ticket_id))
}

export const insertAskedEvents = (db: Db, ids: readonly number[], now: Date) =>
  sql`insert into ticket_events (ticket_id, kind, text, created_at)
    select id, 'rating', 'Satisfaction email sent', ${now} from unnest(${ids}::bigint[]) id`.execute(db)

export interface AskedRow {
  rating: Rating | null
  comment: string | null
  asked_at: Date
  subject: string
}

/** The question behind a link; nothing once the customer was erased. */
const asked = (ticketId: number, at: Date) => sql`
  select r.rating, r.comment, r.asked_at, t.subject from ticket_ratings r join tickets t on t.id = r.ticket_id
  where r.ticket_id = ${ticketId} and r.asked_at = ${at} and t.customer_email not like ${ERASED_ADDRESS}`

export const findAsked = async (db: Db, ticketId: number, at: Date): Promise<AskedRow | undefined> =>
  (await asked(ticketId, at).execute(db)).rows[0] as AskedRow | undefined

export const lockAsked = async (db: Db, ticketId: number, at: Date): Promise<AskedRow | undefined> =>
  (await sql`${asked(ticketId, at)} for no key update of r`.execute(db)).rows[0] as AskedRow | undefined

export const saveRating = (db: Db, ticketId: number, rating: Rating, comment: string | null, now: Date) =>
  db.updateTable('ticket_ratings').set({ rating, comment, rated_at: now }).where('ticket_id', '=', ticketId).execute()
