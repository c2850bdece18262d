import { slotsOf } from '@limber/contract/businesses/blocks/block.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import type { BlockRecord } from './block.queries.ts'
import type { BlockSum } from './block.rules.ts'

/** The blocks of a business by state and size, and the hours returned by canceled sessions, in one statement. */
export async function findBlockSums(db: Db, businessId: number, now: Date, today: string): Promise<BlockSum[]> {
  const { rows } = await sql<BlockSum>`
    with blocks as (
      select p.block_hours as hours, p.slot_length_minutes as slot_length,
        case when p.used_at is null then case when p.expires_on < ${today}::date then 'expired' else 'available' end
          when s.ends_at <= ${now} then 'delivered' else 'scheduled' end as state,
        (select count(*) from onsite_participants a where a.session_id = s.id) as taken
      from prepaid_blocks p left join onsite_sessions s on s.block_id = p.id and s.cancelled_at is null
      where p.business_id = ${businessId})
    select state, hours, slot_length, count(*) as blocks, sum(taken)::bigint as taken_slots from blocks group by 1, 2, 3
    union all
    select 'returned', hours, hours * 60 / slots, count(*), 0 from block_entries
    where business_id = ${businessId} and kind = 'returned' group by hours, slots`.execute(db)
  return rows
}

interface Movement {
  kind: Row<'block_entries'>['kind']
  workerId: number
  now: Date
  sessionId?: number
  reason?: string
}

/** Records a change to the hours of a block. */
export const insertEntry = (db: Db, block: BlockRecord, { kind, workerId, now, sessionId, reason }: Movement) =>
  db
    .insertInto('block_entries')
    .values({
      business_id: block.business_id,
      block_id: block.id,
      kind,
      hours: block.block_hours,
      slots: slotsOf(block.block_hours, block.slot_length_minutes),
      label: block.internal_label,
      session_id: sessionId ?? null,
      worker_id: workerId,
      reason: reason ?? null,
      created_at: now,
    })
    .execute()

export interface EntryRow extends Omit<Row<'block_entries'>, 'business_id' | 'session_id' | 'worker_id'> {
  by: string | null
}

const entries = (db: Db, businessId: number) =>
  db
    .selectFrom('block_entries as e')
    .leftJoin('workers as w', 'w.id', 'e.worker_id')
    .select([
      'e.id',
      'e.kind',
      'e.block_id',
      'e.label',
      'e.hours',
      'e.slots',
      'e.reason',
      'w.name as by',
      'e.created_at',
    ])
    .where('e.business_id', '=', businessId)

/** The latest entries, newest first. */
export const findLatestEntries = (db: Db, businessId: number, limit: number): Promise<EntryRow[]> =>
  entries(db, businessId).orderBy('e.id', 'desc').limit(limit).execute()

/** The next entries after the given one, oldest first. */
export const findEntriesAfter = (db: Db, businessId: number, after: number, limit: number): Promise<EntryRow[]> =>
  entries(db, businessId).where('e.id', '>', after).orderBy('e.id').limit(limit).execute()
