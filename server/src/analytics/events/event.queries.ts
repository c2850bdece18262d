import { type RawBuilder, sql } from 'kysely'
import { HOUR } from '#platform/clock.ts'
import type { Db, Row } from '#platform/db/db.ts'

export interface EventRow extends Row<'events'> {
  customer_name: string | null
  worker_name: string | null
}

/** The events of a query, with the names of their customers and workers. */
const withNames = (found: RawBuilder<unknown>) => sql<EventRow>`
  select e.id, e.created_at, e.source, e.user_id, e.worker_id, e.action_type, e.event_outcome, e.method, e.url, e.path,
    e.response_status, e.response_time, e.ip_address, c.first_name || ' ' || c.last_name as customer_name, s.name as worker_name
  from (${found}) e
  left join customers c on c.id = e.user_id
  left join workers s on s.id = e.worker_id
  order by e.created_at desc, e.id`

const ofAction = (type: string) => (type === '' ? sql`true` : sql`action_type = ${type}`)

interface Page {
  from: Date
  to: Date
  type: string
  limit: number
  offset: number
}

/** A page of events, newest first. */
export async function findEvents(
  db: Db,
  { from, to, type, limit, offset }: Page,
  table: RawBuilder<unknown> = sql.table('events'),
): Promise<EventRow[]> {
  const { rows } = await withNames(sql`
    select * from ${table} where created_at >= ${from} and created_at < ${to} and ${ofAction(type)}
    order by created_at desc, id limit ${limit} offset ${offset}`).execute(db)
  return rows
}

/** The events that follow the given one in page order; the first events without one. */
export async function findEventsAfter(
  db: Db,
  { from, to, type, limit, last }: Omit<Page, 'offset'> & { last: EventRow | undefined },
): Promise<EventRow[]> {
  const rest = last
    ? sql`created_at <= ${last.created_at} and (created_at < ${last.created_at} or id > ${last.id}::uuid)`
    : sql`true`
  const { rows } = await withNames(sql`
    select * from events where created_at >= ${from} and created_at < ${to} and ${ofAction(type)} and ${rest}
    order by created_at desc, id limit ${limit}`).execute(db)
  return rows
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10).replaceAll('-', '')
const isMissingTable = (error: unknown) => error instanceof Error && 'code' in error && error.code === '42P01'

/**
 * Reads a span that is mostly part of one day from that day's partition. PostgreSQL caches this plan, while the plan for the
 * partitioned table is made again for every moment, which takes longer than reading.
 */
async function findInDay(db: Db, page: Page): Promise<EventRow[]> {
  const day = dayOf(page.from)
  if (day !== dayOf(new Date(page.to.getTime() - 1))) return findEvents(db, page)
  try {
    return await findEvents(db, page, sql.table(`events_${day}`))
  } catch (error) {
    // The day has no events yet.
    if (isMissingTable(error)) return findEvents(db, page)
    throw error
  }
}

/** The newest events of a span. They usually all fall in its last hour. */
export async function findNewest(db: Db, { from, to, type, limit }: Omit<Page, 'offset'>): Promise<EventRow[]> {
  const lastHour = new Date(Math.max(from.getTime(), to.getTime() - HOUR))
  const newest = await findInDay(db, { from: lastHour, to, type, limit, offset: 0 })
  if (newest.length === limit || lastHour.getTime() === from.getTime()) return newest
  return findEvents(db, { from, to, type, limit, offset: 0 })
}

export async function countEventRows(db: Db, from: Date, to: Date, type: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from events where created_at >= ${from} and created_at < ${to} and ${ofAction(type)}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export async function findEvent(db: Db, id: string): Promise<EventRow | undefined> {
  const { rows } = await withNames(sql`select * from events where id = ${id} order by created_at desc limit 1`).execute(
    db,
  )
  return rows[0]
}

interface Named {
  id: string
  at: string
}

/** Events with these ids, looked for at the times of all of them. */
export async function findEventsByIds(db: Db, events: readonly Named[]): Promise<EventRow[]> {
  const valid = events.filter(({ at }) => !Number.isNaN(Date.parse(at)))
  if (valid.length === 0) return []
  const times = valid.map(({ at }) => Date.parse(at))
  return findEventsBetween(db, valid, { from: new Date(Math.min(...times)), to: new Date(Math.max(...times)) })
}

/** Events with these ids in a range. The shorter it is, the fewer partitions are read. */
export async function findEventsBetween(
  db: Db,
  events: readonly Pick<Named, 'id'>[],
  { from, to }: { from: Date; to: Date },
): Promise<EventRow[]> {
  const { rows } = await withNames(sql`
    select * from events where id = any(${events.map(({ id }) => id)}::uuid[])
      and created_at between ${from} and ${to}`).execute(db)
  return rows
}

/** Events of the customer product after a place, the oldest first. */
export async function findEventsInOrder(
  db: Db,
  { at, id }: { at: Date; id: string | null },
  limit: number,
): Promise<EventRow[]> {
  const rest = id === null ? sql`created_at >= ${at}` : sql`(created_at, id) > (${at}, ${id}::uuid)`
  const { rows } = await sql<EventRow>`
    select e.*, null as customer_name, null as worker_name from events e
    where source = 'customer' and ${rest} order by created_at, id limit ${limit}`.execute(db)
  return rows
}
