import { slotsOf } from '@limber/contract/businesses/blocks/block.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import type { BlockRecord, SessionRecord } from '../blocks/block.queries.ts'
import type { Busy } from './onsite.rules.ts'

const STRETCHER_LOCK = 7_214_040
const MAX_SESSION_LENGTH = '8 hours'

/**
 * Locks these stretchers in id order, so that scheduling for them is serialized. The exclusion constraint alone is correct
 * but deadlocks under load. The row lock after the advisory lock also blocks ordinary bookings. Returns the zone of each
 * stretcher, which cannot change from here on.
 */
export async function lockStretchers(db: Db, ids: readonly number[]): Promise<Map<number, number | null>> {
  const zones = new Map<number, number | null>()
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const { rows } = await sql<{ zone_id: number | null }>`
      select s.zone_id
      from stretchers s, (select pg_advisory_xact_lock(${STRETCHER_LOCK}, (${id}::bigint % 2147483647)::int)) held
      where s.id = ${id} for no key update of s`.execute(db)
    zones.set(id, rows[0]?.zone_id ?? null)
  }
  return zones
}

/** Sorted on-site sessions (except that of one block) and confirmed bookings of these stretchers in a time span. */
export async function findBusy(
  db: Db,
  ids: readonly number[],
  { from, to, exceptBlock }: { from: Date; to: Date; exceptBlock: number },
): Promise<Busy[]> {
  const { rows } = await sql<Busy>`
    select stretcher_id, 'booking' as kind, starts_at, ends_at, null as business from bookings
    where stretcher_id = any(${ids}) and status in ('confirmed', 'in_progress')
      and starts_at < ${to} and starts_at > ${from}::timestamptz - interval '${sql.raw(MAX_SESSION_LENGTH)}' and ends_at > ${from}
    union all
    select s.stretcher_id, 'onsite', s.starts_at, s.ends_at, b.name
    from onsite_sessions s join businesses b on b.id = s.business_id
    where s.stretcher_id = any(${ids}) and s.cancelled_at is null and s.block_id is distinct from ${exceptBlock}
      and s.starts_at < ${to} and s.starts_at > ${from}::timestamptz - interval '${sql.raw(MAX_SESSION_LENGTH)}' and s.ends_at > ${from}
    order by 3`.execute(db)
  return rows
}

export interface FullSession extends SessionRecord {
  stretcher_email: string
  cancel_reason: string | null
  block_hours: number | null
  slot_length_minutes: number | null
  internal_label: string | null
  expires_on: string | null
  used_at: Date | null
  block_version: number | null
  business_name: string
  admin_email: string
  rep_name: string | null
  location: string | null
  zone_id: number
  zone_name: string
  time_zone: string
}

/** A session with all its details. */
export async function findSession(db: Db, id: number): Promise<FullSession | undefined> {
  const { rows } = await sql<FullSession>`
    select s.id, s.business_id, s.block_id, s.stretcher_id, w.first_name || ' ' || w.last_name as stretcher_name, w.email as stretcher_email,
      s.starts_at, s.ends_at, s.cancelled_at, s.cancel_reason, s.version,
      (select count(*) from onsite_participants a where a.session_id = s.id) as taken_slots,
      p.block_hours, p.slot_length_minutes, p.internal_label, p.expires_on, p.used_at, p.version as block_version,
      b.name as business_name, b.admin_email, b.rep_name, b.location, b.zone_id, z.name as zone_name, z.time_zone
    from onsite_sessions s
    join stretchers w on w.id = s.stretcher_id
    join businesses b on b.id = s.business_id
    join zones z on z.id = b.zone_id
    left join prepaid_blocks p on p.id = s.block_id
    where s.id = ${id}`.execute(db)
  return rows[0]
}

export interface SoonSession
  extends Pick<Row<'onsite_sessions'>, 'id' | 'business_id' | 'block_id' | 'starts_at' | 'ends_at'> {
  business_name: string
  stretcher_name: string
  location: string | null
  time_zone: string
  is_today: boolean
}

/** Sessions that have not ended and start today or tomorrow, in the zone's time zone. */
export async function findSoonSessions(db: Db, now: Date, limit: number): Promise<SoonSession[]> {
  const daysAhead = sql`(s.starts_at at time zone z.time_zone)::date - (${now}::timestamptz at time zone z.time_zone)::date`
  const { rows } = await sql<SoonSession>`
    select s.id, s.business_id, b.name as business_name, s.block_id, w.first_name || ' ' || w.last_name as stretcher_name,
      b.location, s.starts_at, s.ends_at, z.time_zone, ${daysAhead} < 1 as is_today
    from onsite_sessions s
    join stretchers w on w.id = s.stretcher_id
    join businesses b on b.id = s.business_id
    join zones z on z.id = b.zone_id
    where s.cancelled_at is null and s.ends_at > ${now} and ${daysAhead} <= 1
      and s.starts_at between ${now}::timestamptz - interval '${sql.raw(MAX_SESSION_LENGTH)}' and ${now}::timestamptz + interval '2 days 2 hours'
    order by s.starts_at, s.id limit ${limit}`.execute(db)
  return rows
}

/** Locks the session until the transaction ends, so that changes are serialized. */
export async function lockSession(db: Db, id: number): Promise<FullSession | undefined> {
  await sql`select from onsite_sessions where id = ${id} for update`.execute(db)
  return findSession(db, id)
}

interface NewSession {
  stretcher_id: number
  starts_at: Date
  ends_at: Date
}

/** Inserts a session and its ledger entry in one statement, because others wait for the stretcher's lock. */
export async function insertSession(
  db: Db,
  block: BlockRecord,
  { stretcher_id, starts_at, ends_at }: NewSession,
  by: { workerId: number; now: Date },
): Promise<{ id: number; version: number }> {
  const { rows } = await sql<{ id: number; version: number }>`
    with made as (
      insert into onsite_sessions (business_id, block_id, stretcher_id, starts_at, ends_at, created_at)
      values (${block.business_id}, ${block.id}, ${stretcher_id}, ${starts_at}, ${ends_at}, ${by.now})
      returning id, version
    ), noted as (
      insert into block_entries (business_id, block_id, kind, hours, slots, label, session_id, worker_id, created_at)
      select ${block.business_id}::bigint, ${block.id}::bigint, 'scheduled', ${block.block_hours}::int,
        ${slotsOf(block.block_hours, block.slot_length_minutes)}::int, ${block.internal_label}::text, id, ${by.workerId}::bigint, ${by.now}
      from made
    )
    select id, version from made`.execute(db)
  const [made] = rows
  if (!made) throw new Error('The session was not inserted')
  return made
}

interface SessionChange {
  stretcher_id?: number
  starts_at?: Date
  ends_at?: Date
  cancelled_at?: Date
  cancel_reason?: string
}

/** Changes a locked session and returns it. */
export async function saveSession(db: Db, session: FullSession, change: SessionChange): Promise<FullSession> {
  const version = session.version + 1
  await db
    .updateTable('onsite_sessions')
    .set({ ...change, version })
    .where('id', '=', session.id)
    .execute()
  return { ...session, ...change, version }
}

export type ParticipantRow = Pick<Row<'onsite_participants'>, 'slot' | 'name' | 'email' | 'rating'>

export const findParticipants = (db: Db, sessionId: number): Promise<ParticipantRow[]> =>
  db
    .selectFrom('onsite_participants')
    .select(['slot', 'name', 'email', 'rating'])
    .where('session_id', '=', sessionId)
    .orderBy('slot')
    .execute()
