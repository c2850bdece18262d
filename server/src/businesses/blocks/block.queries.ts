import type { UnusedBlock } from '@limber/contract/businesses/blocks/block.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export interface SessionRecord extends Omit<Row<'onsite_sessions'>, 'cancel_reason' | 'created_at'> {
  stretcher_name: string
  taken_slots: number
}

export type BlockRecord = Omit<Row<'prepaid_blocks'>, 'created_at'>

interface BlockWithSession extends BlockRecord {
  session_id: number | null
  stretcher_id: number | null
  stretcher_name: string | null
  starts_at: Date | null
  ends_at: Date | null
  session_version: number | null
  taken_slots: number
}

const withSession = sql`
  p.id, p.business_id, p.block_hours, p.slot_length_minutes, p.internal_label, p.expires_on, p.used_at, p.version,
  s.id as session_id, s.stretcher_id, w.first_name || ' ' || w.last_name as stretcher_name, s.starts_at, s.ends_at, s.version as session_version,
  (select count(*) from onsite_participants a where a.session_id = s.id) as taken_slots`

const sessionOf = ({ session_id, session_version, ...row }: BlockWithSession): SessionRecord | undefined =>
  session_id === null || row.stretcher_id === null || row.starts_at === null || row.ends_at === null
    ? undefined
    : {
        id: session_id,
        business_id: row.business_id,
        block_id: row.id,
        stretcher_id: row.stretcher_id,
        stretcher_name: row.stretcher_name ?? '',
        starts_at: row.starts_at,
        ends_at: row.ends_at,
        cancelled_at: null,
        taken_slots: row.taken_slots,
        version: session_version ?? 1,
      }

/** Upcoming by start, then unused, delivered and expired. */
const sortOrder = (now: Date, today: string) => sql`
  case when s.ends_at > ${now} then 0 when p.used_at is null and (p.expires_on is null or p.expires_on >= ${today}::date) then 1
    when p.used_at is not null then 2 else 3 end,
  case when s.ends_at > ${now} then s.starts_at end, s.starts_at desc, p.id desc`

interface BlockPage {
  now: Date
  today: string
  limit: number
  offset: number
}

/** One page of a business's blocks, each with its session. */
export async function findBlocks(db: Db, businessId: number, { now, today, limit, offset }: BlockPage) {
  const { rows } = await sql<{ total: number } & BlockWithSession>`
    select count(*) over () as total, ${withSession}
    from prepaid_blocks p
    left join onsite_sessions s on s.block_id = p.id and s.cancelled_at is null
    left join stretchers w on w.id = s.stretcher_id
    where p.business_id = ${businessId}
    order by ${sortOrder(now, today)} limit ${limit} offset ${offset}`.execute(db)
  return {
    total: rows[0]?.total ?? (await countBlocks(db, businessId)),
    blocks: rows.map((block) => ({ block, session: sessionOf(block) })),
  }
}

export interface UnusedBlockRow
  extends Pick<BlockRecord, 'id' | 'block_hours' | 'slot_length_minutes' | 'internal_label' | 'expires_on'> {
  business: UnusedBlock['business']
}

/** Blocks that can still be scheduled, those that expire first at the top. */
export async function findUnusedBlocks(db: Db, now: Date, limit: number): Promise<UnusedBlockRow[]> {
  // Each part reads the index in its order: blocks that have expired stay unused for good.
  const part = (condition: RawBuilder<unknown>) => sql`(
    select p.id, p.block_hours, p.slot_length_minutes, p.internal_label, p.expires_on,
      jsonb_build_object('id', b.id, 'name', b.name, 'admin_email', b.admin_email, 'zone_name', z.name, 'time_zone', z.time_zone) as business
    from prepaid_blocks p join businesses b on b.id = p.business_id join zones z on z.id = b.zone_id
    where p.used_at is null and b.archived_at is null and ${condition} order by p.expires_on, p.id limit ${limit})`
  // Somewhere it is still yesterday: this bounds the days, so that the index can be used.
  const isAhead = sql`p.expires_on >= (${now}::timestamptz - interval '12 hours')::date
    and p.expires_on >= (${now}::timestamptz at time zone z.time_zone)::date`
  const { rows } = await sql<UnusedBlockRow>`
    select * from (${part(isAhead)} union all ${part(sql`p.expires_on is null`)}) u
    order by expires_on, id limit ${limit}`.execute(db)
  return rows
}

/** For a page past the end. */
async function countBlocks(db: Db, businessId: number): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*) from prepaid_blocks where business_id = ${businessId}`.execute(db)
  return rows[0]?.count ?? 0
}

const columns = [
  'id',
  'business_id',
  'block_hours',
  'slot_length_minutes',
  'internal_label',
  'expires_on',
  'used_at',
  'version',
] as const

export const findBlock = (db: Db, id: number): Promise<BlockRecord | undefined> =>
  db.selectFrom('prepaid_blocks').select(columns).where('id', '=', id).executeTakeFirst()

type NewBlock = Omit<Row<'prepaid_blocks'>, 'id' | 'used_at' | 'version'>

export const insertBlock = (db: Db, block: NewBlock): Promise<BlockRecord> =>
  db
    .insertInto('prepaid_blocks')
    .values({ ...block, used_at: null })
    .returning(columns)
    .executeTakeFirstOrThrow()

/** Marks the block as used and returns it. Only one of several simultaneous callers succeeds. */
export const claimBlock = (db: Db, id: number, now: Date): Promise<BlockRecord | undefined> =>
  db
    .updateTable('prepaid_blocks')
    .set({ used_at: now, version: sql`version + 1` })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .returning(columns)
    .executeTakeFirst()

/** Locks the block with its session. Moving, canceling and scheduling the session wait. */
export async function lockBlock(db: Db, id: number): Promise<BlockRecord | undefined> {
  // Lock the session first, in the same order as canceling does.
  await sql`select from onsite_sessions where block_id = ${id} and cancelled_at is null for update`.execute(db)
  return db.selectFrom('prepaid_blocks').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
}

export const saveBlock = (db: Db, id: number, change: { internal_label: string; expires_on: string | null }) =>
  db
    .updateTable('prepaid_blocks')
    .set({ ...change, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()

/** Marks a block as unused. */
export const releaseBlock = (db: Db, id: number) =>
  db.updateTable('prepaid_blocks').set({ used_at: null, version: sql`version + 1` }).where('id', '=', id).execute()

/** All of an unused block, to put it back: its row, and its canceled sessions, which stay without it. */
export type DeletedBlock = Omit<Row<'prepaid_blocks'>, 'id' | 'used_at' | 'created_at'> & {
  created_at: string
  sessions: number[]
}

export async function findDeletable(db: Db, id: number): Promise<DeletedBlock | undefined> {
  const { rows } = await sql<DeletedBlock>`
    select p.business_id, p.block_hours, p.slot_length_minutes, p.internal_label, p.expires_on, p.version, to_json(p.created_at) as created_at,
      array(select s.id::int from onsite_sessions s where s.block_id = p.id order by s.id) as sessions
    from prepaid_blocks p where p.id = ${id}`.execute(db)
  return rows[0]
}

/** Puts a deleted block back under its id. Sessions that were canceled belong to it again. */
export async function putBlockBack(db: Db, id: number, { sessions, ...block }: DeletedBlock): Promise<BlockRecord> {
  const { business_id, block_hours, slot_length_minutes, internal_label, expires_on, version, created_at } = block
  const { rows } = await sql<BlockRecord>`
    insert into prepaid_blocks (id, business_id, block_hours, slot_length_minutes, internal_label, expires_on, version, created_at)
    values (${id}, ${business_id}, ${block_hours}, ${slot_length_minutes}, ${internal_label}, ${expires_on}, ${version}, ${created_at})
    returning ${sql.join(columns.map((name) => sql.ref(name)))}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`Block ${id} was not put back`)
  await sql`update onsite_sessions set block_id = ${id}
    where id = any(${sessions}::bigint[]) and block_id is null and cancelled_at is not null`.execute(db)
  return row
}

/** Deletes an unused block; returns whether it did. */
export async function removeUnusedBlock(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('prepaid_blocks')
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** A block with its session. */
export async function findBlockWithSession(db: Db, id: number) {
  const { rows } = await sql<BlockWithSession>`
    select ${withSession}
    from prepaid_blocks p
    left join onsite_sessions s on s.block_id = p.id and s.cancelled_at is null
    left join stretchers w on w.id = s.stretcher_id
    where p.id = ${id}`.execute(db)
  const [block] = rows
  return block && { block, session: sessionOf(block) }
}
