import { type RawBuilder, sql } from 'kysely'
import { type Db, plannedEachTime } from '#platform/db/db.ts'
import { BLOCK_SIZE, endings, type TicketFacts } from './facts.rules.ts'

const seconds = (moment: RawBuilder<unknown>) => sql`coalesce(floor(extract(epoch from ${moment}))::bigint, 0)`
const end = (moment: RawBuilder<unknown>, ending: RawBuilder<unknown>) =>
  sql`${seconds(moment)} * ${endings.length}::int + array_position(${[...endings]}::text[], ${ending}) - 1`

/** What the figures need of tickets that were not merged into another one. */
const factsWhere = (condition: RawBuilder<unknown>) => sql<TicketFacts>`
  select t.id, ${seconds(sql`x.opened_at`)} as opened, ${seconds(sql`x.first_reply_at`)} as replied,
    ${seconds(sql`x.closed_at`)} as closed, x.channel, t.kind, t.assignee_id as assignee, t.tags,
    array(select ${end(sql`p.ended_at`, sql`p.outcome`)} from ticket_promises p
      where p.ticket_id = t.id and p.outcome in ('kept', 'missed') order by 1)
    || array(select ${end(sql`r.rated_at`, sql`r.rating`)} from ticket_ratings r where r.ticket_id = t.id and r.rating is not null) as ends
  from tickets t join ticket_times x on x.ticket_id = t.id
  where t.merged_into_id is null and ${condition} order by t.id`

export const findFacts = async (db: Db, ids: readonly number[]): Promise<TicketFacts[]> =>
  (await factsWhere(sql`t.id = any(${ids}::bigint[])`).execute(db)).rows

export const findFactsOfBlock = async (db: Db, block: number): Promise<TicketFacts[]> =>
  (await factsWhere(sql`t.id >= ${block * BLOCK_SIZE} and t.id < ${(block + 1) * BLOCK_SIZE}`).execute(db)).rows

/** Tickets that changed since their block was packed. */
export async function findChanged(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    ${plannedEachTime} select distinct ticket_id as id from ticket_report_changes order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** What says that a block was packed again: the transaction that wrote its row. */
const version = sql`case when facts is not null then xmin::text end as version`

export interface BlockVersion {
  block: number
  /** Null when its tickets must be read. */
  version: string | null
}

/** The blocks with tickets that may count in a range. */
export async function findBlocks(db: Db, { from, to }: { from: Date; to: Date }): Promise<BlockVersion[]> {
  const { rows } = await sql<BlockVersion>`
    ${plannedEachTime} select block, ${version} from ticket_report_blocks
    where facts is null or first_at < ${to} and last_at >= ${from} order by block`.execute(db)
  return rows
}

export interface BlockRow extends BlockVersion {
  facts: Buffer | null
}

export async function findPacked(db: Db, blocks: readonly number[]): Promise<BlockRow[]> {
  const { rows } = await sql<BlockRow>`
    ${plannedEachTime} select block, facts, ${version} from ticket_report_blocks where block = any(${blocks}::bigint[])`.execute(
    db,
  )
  return rows
}

/** Blocks that were never packed, or have tickets that changed. */
export async function findOutdatedBlocks(db: Db): Promise<number[]> {
  const { rows } = await sql<{ block: number }>`
    ${plannedEachTime} select block from ticket_report_blocks where facts is null
    union select ticket_id / ${BLOCK_SIZE}::int from ticket_report_changes order by 1`.execute(db)
  return rows.map(({ block }) => block)
}

/** Of two who pack a block, the second one waits and then reads what the first one did. */
export const lockBlock = (db: Db, block: number) =>
  sql`insert into ticket_report_blocks (block) values (${block}) on conflict (block) do update set block = excluded.block`.execute(
    db,
  )

/** Removes the changes of a block that are committed. Statements that follow see what changed. */
export const takeChanges = (db: Db, block: number) =>
  sql`delete from ticket_report_changes where ticket_id >= ${block * BLOCK_SIZE} and ticket_id < ${(block + 1) * BLOCK_SIZE}`.execute(
    db,
  )

export const saveBlock = (db: Db, block: number, packed: { facts: Buffer; first: Date; last: Date } | undefined) =>
  packed
    ? db
        .updateTable('ticket_report_blocks')
        .set({ facts: packed.facts, first_at: packed.first, last_at: packed.last })
        .where('block', '=', block)
        .execute()
    : db.deleteFrom('ticket_report_blocks').where('block', '=', block).execute()

/** What each tag counts as. A tag that a job is replacing counts as its replacement, a removed one as nothing. */
export async function findTagsNow(db: Db): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; now: number }>`
    select id, coalesce(replaced_by_id, id) as now from ticket_tags where removed_at is null or replaced_by_id is not null`.execute(
    db,
  )
  return new Map(rows.map(({ id, now }) => [id, now]))
}
