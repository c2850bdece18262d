import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

const FEED_LOCK = 7_214_250

interface Named {
  id: number
  name: string
}

export interface FeedRow {
  id: number
  business: Named | null
  stretcher: Named | null
  created_at: Date
  created_by: string
  last_used_at: Date | null
  revoked_at: Date | null
  revoked_by: string | null
}

const feeds = sql`
  select f.id, f.created_at, c.name as created_by, f.last_used_at, f.revoked_at, r.name as revoked_by,
    case when b.id is not null then jsonb_build_object('id', b.id, 'name', b.name) end as business,
    case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.first_name || ' ' || s.last_name) end as stretcher
  from calendar_feeds f join workers c on c.id = f.created_by left join workers r on r.id = f.revoked_by
  left join businesses b on b.id = f.business_id left join stretchers s on s.id = f.stretcher_id`

/** Current links and those revoked lately, newest first. */
export async function findFeeds(db: Db, limit: number): Promise<FeedRow[]> {
  const { rows } = await sql<FeedRow>`${feeds} order by f.revoked_at is not null, f.id desc limit ${limit}`.execute(db)
  return rows
}

export async function findFeed(db: Db, id: number): Promise<FeedRow | undefined> {
  const { rows } = await sql<FeedRow>`${feeds} where f.id = ${id}`.execute(db)
  return rows[0]
}

/** Serializes the creation of links, so that their number stays limited. */
export async function countFeedsLocked(db: Db): Promise<number> {
  await sql`select pg_advisory_xact_lock(${FEED_LOCK})`.execute(db)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from calendar_feeds where revoked_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

/** Locks a stretcher against deletion. */
export const lockStretcher = (db: Db, id: number) =>
  db.selectFrom('stretchers').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()

interface NewFeed {
  business_id: number | null
  stretcher_id: number | null
  token_hash: Buffer
  created_by: number
  created_at: Date
}

export const insertFeed = (db: Db, feed: NewFeed) =>
  db
    .insertInto('calendar_feeds')
    .values({ ...feed, last_used_at: null, revoked_at: null, revoked_by: null })
    .returning('id')
    .executeTakeFirstOrThrow()

/** Revokes a link. Of two concurrent calls, one wins. */
export const revokeFeedRow = (db: Db, id: number, workerId: number, now: Date) =>
  db
    .updateTable('calendar_feeds')
    .set({ revoked_at: now, revoked_by: workerId })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

const STAMP_EVERY = '1 hour'

/** The link with this token, unless it was revoked. Its use is recorded about once an hour. */
export async function openFeed(db: Db, tokenHash: Buffer, now: Date) {
  const { rows } = await sql<{ id: number; business_id: number | null; stretcher_id: number | null }>`
    with found as (select * from calendar_feeds where token_hash = ${tokenHash} and revoked_at is null),
    used as (update calendar_feeds f set last_used_at = ${now} from found
      where f.id = found.id and (f.last_used_at is null or f.last_used_at < ${now}::timestamptz - interval '${sql.raw(STAMP_EVERY)}'))
    select id, business_id, stretcher_id from found`.execute(db)
  return rows[0]
}

export interface FeedSession {
  id: number
  version: number
  starts_at: Date
  ends_at: Date
  cancelled_at: Date | null
  business_name: string
  location: string | null
  first_name: string
  last_name: string
  slots: number
  taken_slots: number
}

const PAST_DAYS = 30
const MAX_SESSIONS = 5_000

/** Sessions of a link from the last 30 days on, earliest first. */
export async function findFeedSessions(
  db: Db,
  { business_id, stretcher_id }: { business_id: number | null; stretcher_id: number | null },
  now: Date,
): Promise<FeedSession[]> {
  const { rows } = await sql<FeedSession>`
    select o.id, o.version, o.starts_at, o.ends_at, o.cancelled_at, b.name as business_name, b.location, s.first_name, s.last_name,
      coalesce(p.block_hours * 60 / nullif(p.slot_length_minutes, 0), 0)::int as slots,
      (select count(*) from onsite_participants a where a.session_id = o.id) as taken_slots
    from (select * from onsite_sessions where starts_at > ${now}::timestamptz - make_interval(days => ${PAST_DAYS})
      ${business_id === null ? sql`` : sql`and business_id = ${business_id}`}
      ${stretcher_id === null ? sql`` : sql`and stretcher_id = ${stretcher_id}`}
      order by starts_at, id limit ${MAX_SESSIONS}) o
    join businesses b on b.id = o.business_id join stretchers s on s.id = o.stretcher_id
    left join prepaid_blocks p on p.id = o.block_id
    order by o.starts_at, o.id`.execute(db)
  return rows
}
