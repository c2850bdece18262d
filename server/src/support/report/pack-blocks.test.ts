import { type ReportGroup, reportGroups } from '@limber/contract/support/report/figure.ts'
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { insertSettings } from '../promises/promise.queries.ts'
import { draftPromises } from '../promises/promise.testing.ts'
import { makeTag } from '../queues/queue.factory.ts'
import { figureTickets } from './figure.queries.ts'
import { packBlocks } from './pack-blocks.ts'
import { readBlocks } from './read-blocks.ts'
import { findFigures } from './report.queries.ts'
import type { GroupRow } from './report.rules.ts'
import type { Part, ReportFilter } from './tally.rules.ts'

let server: TestServer
let db: Db
let workerId: number
let tags: number[]
let ids: number[]
const HOUR = 3600
const start = new Date('2026-09-01T12:00:00Z')
const at = (hours: number) => shift(start, hours * HOUR * 1000 + hours * 61_001)

/** Twenty tickets in three blocks, that is with ids far apart. */
beforeAll(async () => {
  server = await startTestServer()
  db = server.db
  workerId = (await server.as('tickets.handle').worker()).id
  tags = [(await makeTag(db)).id, (await makeTag(db)).id, (await makeTag(db)).id]
  await insertSettings(db, draftPromises(), { version: 1, timeZone: 'America/Los_Angeles', workerId, at: start })
})
beforeEach(async () => {
  await sql`delete from tickets`.execute(db)
  ids = []
  for (let n = 0; n < 20; n++) {
    if (n % 7 === 0)
      await sql`select setval('tickets_id_seq', (nextval('tickets_id_seq') / 256 + 1) * 256 + 250)`.execute(db)
    const { rows } = await sql<{ id: number }>`
      insert into tickets (customer_email, subject, status, priority, tags, created_at, updated_at, message_count)
      values (${`c${n}@example.com`}, 'Lost', 'open', 'low', '{}', ${at(n * 9)}, ${at(n * 9)}, 0) returning id`.execute(
      db,
    )
    ids.push(...rows.map(({ id }) => id))
  }
})
afterAll(() => server.stop())

/** The definition of each figure, counted from the tickets by PostgreSQL. */
async function count(parts: readonly Part[], filter: ReportFilter, key: RawBuilder<unknown>): Promise<GroupRow[]> {
  const span = { from: sql`part.from_at`, to: sql`part.to_at` }
  const all = (['opened', 'replied', 'closed', 'kept', 'missed', 'good', 'bad'] as const).map(
    (figure) => sql`select ${figure}::text as figure, f.ticket_id,
      case when ${figure} in ('replied', 'closed') then floor(extract(epoch from f.at)) - floor(extract(epoch from o.opened_at)) end as seconds
      from (${figureTickets[figure](span)}) f join ticket_times o on o.ticket_id = f.ticket_id`,
  )
  const { rows } = await sql<GroupRow>`
    select ${key} as key, f.figure, count(*)::int as tickets,
      percentile_cont(0.5) within group (order by seconds::float) / 60 as median, percentile_cont(0.9) within group (order by seconds::float) / 60 as p90
    from unnest(${parts.map((part) => part.key)}::text[], ${parts.map(({ from }) => from)}::timestamptz[],
      ${parts.map(({ to }) => to)}::timestamptz[]) part (key, from_at, to_at)
    cross join lateral (${sql.join(all, sql` union all `)}) f
    join tickets t on t.id = f.ticket_id join ticket_times x on x.ticket_id = t.id
    cross join lateral (select distinct coalesce(o.replaced_by_id, o.id) as id from ticket_tags o where o.id = any(t.tags)
      and (o.removed_at is null or o.replaced_by_id is not null) union all select null) g
    where t.merged_into_id is null and (g.id is null) = ${key !== keys.tag}
      and (${filter.channel} = '' or x.channel = ${filter.channel})
      and (${filter.kind} = '' or coalesce(t.kind, 'none') = ${filter.kind})
      and (${String(filter.tag)} = '' or ${String(filter.tag)} = any(t.tags::text[]))
      and (${String(filter.assignee)} = '' or coalesce(t.assignee_id::text, 'none') = ${String(filter.assignee)})
    group by 1, 2`.execute(db)
  return rows
}
const nothing = sql`null::text`
const keys: Record<ReportGroup, RawBuilder<unknown>> = {
  week: sql`part.key`,
  agent: sql`coalesce(t.assignee_id::text, 'none')`,
  channel: sql`x.channel`,
  kind: sql`coalesce(t.kind, 'none')`,
  tag: sql`g.id::text`,
}

const anything: ReportFilter = { channel: '', kind: '', tag: '', assignee: '' }
/** Weeks of the company, the first one cut. The clocks of Los Angeles change in the last one. */
const bounds = ['2026-09-02', '2026-09-05', '2026-09-12', '2026-09-19', '2026-10-31', '2026-11-07']
const partsIn = (offset: number): Part[] =>
  bounds.slice(1).map((day, n) => ({
    key: day,
    from: shift(new Date(`${bounds[n]}T00:00:00Z`), offset * HOUR * 1000),
    to: shift(new Date(`${day}T00:00:00Z`), offset * HOUR * 1000),
  }))

const sorted = (rows: readonly GroupRow[]) =>
  rows
    .map(({ key, figure, tickets, median, p90 }) =>
      [key, figure, tickets, median?.toFixed(6), p90?.toFixed(6)].join(' '),
    )
    .toSorted()

/** The report has what the tickets have: by each group, and with filters. */
async function check(parts = partsIn(7), filters: readonly ReportFilter[] = [anything]) {
  const whole = [{ key: '', from: parts[0]?.from as Date, to: parts.at(-1)?.to as Date }]
  for (const filter of filters)
    for (const by of reportGroups) {
      const expected = [
        ...(await count(whole, filter, nothing)),
        ...(await count(by === 'week' ? parts : whole, filter, keys[by])),
      ]
      expect([by, ...sorted(await findFigures(db, parts, filter, by))]).toEqual([by, ...sorted(expected)])
    }
}
const noted = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from ticket_report_changes`.execute(db)).rows[0]?.n

type Change = (id: number, n: number) => RawBuilder<unknown>
const changes: Record<string, Change> = {
  'another kind': (id, n) => sql`update tickets set kind = ${n % 2 ? 'refund' : 'question'} where id = ${id}`,
  'no kind': (id) => sql`update tickets set kind = null where id = ${id}`,
  tags: (id, n) =>
    sql`update tickets set tags = ${[tags.slice(0, 2), tags.slice(1), []][n % 3] ?? []}::bigint[] where id = ${id}`,
  'an assignee': (id, n) => sql`update tickets set assignee_id = ${n % 2 ? workerId : null} where id = ${id}`,
  'a merge': (id, n) => sql`update tickets set status = 'closed', merged_into_id = (
    select id from tickets where id = ${ids.at(-1)} and id <> ${id} and ${n % 3} > 0) where id = ${id}`,
  'a channel': (id, n) => sql`update ticket_times set channel = ${n % 2 ? 'worker' : 'email'} where ticket_id = ${id}`,
  'a first response': (id, n) =>
    sql`update ticket_times set first_reply_at = opened_at + ${`${n * 1.37} hours`}::interval where ticket_id = ${id}`,
  'a close': (id, n) =>
    sql`update ticket_times set closed_at = opened_at + ${`${n * 7.77} hours`}::interval where ticket_id = ${id}`,
  'a reopening': (id) => sql`update ticket_times set closed_at = null where ticket_id = ${id}`,
  'another opening': (id, n) => sql`update ticket_times set opened_at = ${at(n)} where ticket_id = ${id}`,
  'a promise that ended': (id, n) => sql`
    insert into ticket_promises (ticket_id, kind, started_at, priority, rank, version, target_ms, spent_ms, ended_at, outcome)
    select id, 'next', ${at(n)}::timestamptz, 'low', 'Gold', 1, 1, 1, ${at(n * 11)}::timestamptz, ${n % 3 ? 'kept' : 'missed'} from tickets where id = ${id}
    on conflict (ticket_id, started_at) do update set outcome = excluded.outcome`,
  'a promise that ends': (id, n) =>
    sql`update ticket_promises set ended_at = ${at(n * 13)}, outcome = 'missed' where ticket_id = ${id}`,
  'a promise that is taken back': (id) => sql`delete from ticket_promises where ticket_id = ${id}`,
  'a rating': (id, n) => sql`
    insert into ticket_ratings (ticket_id, created_at, rating, rated_at) select id, now(), ${n % 2 ? 'good' : 'bad'}, ${at(n * 3)}::timestamptz from tickets where id = ${id}
    on conflict (ticket_id) do update set rating = excluded.rating`,
  'another rating': (id, n) =>
    sql`update ticket_ratings set rating = ${n % 2 ? 'bad' : 'good'}, rated_at = ${at(n * 5)} where ticket_id = ${id}`,
  'a deletion': (id) => sql`delete from tickets where id = ${id} and not exists (
    select from tickets m where m.merged_into_id = ${id})`,
}
/** Every ticket gets some of everything. */
async function fill() {
  const names = [
    'another kind',
    'tags',
    'an assignee',
    'a channel',
    'a first response',
    'a close',
    'a promise that ended',
    'a rating',
  ]
  for (const [n, id] of ids.entries())
    for (const name of names) if ((n + name.length) % 3) await changes[name]?.(id, n).execute(db)
}

describe('packed blocks', () => {
  it.each(Object.entries(changes))('follow %s, before and after they are packed again', async (_name, change) => {
    await fill()
    await packBlocks(server.running.services)
    expect(await noted()).toBe(0)
    await check()
    for (const [n, id] of [...ids.entries()].filter(([place]) => place % 2)) await change(id, n + 4).execute(db)
    expect(await noted()).toBeGreaterThan(0)
    await check()
    await packBlocks(server.running.services)
    await check()
  })

  it('are the tickets, whatever happens between two times that they are packed, in any time zone and by any filter', async () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ name: fc.constantFrom(...Object.keys(changes)), place: fc.nat(19), n: fc.nat(90) }),
      },
      { weight: 1, arbitrary: fc.constant('pack' as const) },
    )
    const filters = fc.record({
      channel: fc.constantFrom('', 'email', 'worker', 'api'),
      kind: fc.constantFrom('', 'none', 'refund'),
      tag: fc.constantFrom(0, 1, 2, 3),
      assignee: fc.constantFrom('', 'none', 'someone'),
    })
    await fill()
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 25 }),
        fc.integer({ min: -14, max: 14 }),
        filters,
        async (steps, offset, one) => {
          for (const each of steps) {
            if (each === 'pack') await packBlocks(server.running.services)
            else await changes[each.name]?.(ids[each.place] as number, each.n).execute(db)
          }
          const assignee = one.assignee === 'someone' ? workerId : (one.assignee as 'none' | '')
          const filter = { ...one, tag: tags[one.tag] ?? '', assignee } as ReportFilter
          await check(partsIn(offset), [filter])
        },
      ),
      { numRuns: rounds(4, 12), seed: 20 },
    )
    await check()
  })

  it('do not lose a change that is committed while they are packed', async () => {
    await fill()
    await packBlocks(server.running.services)
    const [id = 0] = ids
    let commit = () => {}
    let changed = () => {}
    const isChanged = new Promise<void>((done) => {
      changed = done
    })
    const writer = db.transaction().execute(async (tx) => {
      await sql`update tickets set kind = 'complaint' where id = ${id}`.execute(tx)
      changed()
      await new Promise<void>((done) => {
        commit = done
      })
    })
    await isChanged
    // The same block has another change, so that it is packed now, without waiting for the writer.
    await sql`update tickets set kind = 'booking' where id = ${ids[1]}`.execute(db)
    expect(await packBlocks(server.running.services)).toEqual({ packed: 1 })
    commit()
    await writer
    expect(await noted()).toBe(1)
    await check()
    await packBlocks(server.running.services)
    await check()
  })

  it('can be packed by two at once', async () => {
    await fill()
    await Promise.all([packBlocks(server.running.services), fill(), packBlocks(server.running.services)])
    await check()
    await packBlocks(server.running.services)
    await check()
  })

  it('are left out when they are before or after the range', async () => {
    await fill()
    await packBlocks(server.running.services)
    const later = [{ key: 'later', from: shift(start, 900 * DAY), to: shift(start, 901 * DAY) }]
    expect(await findFigures(db, later, anything, 'week')).toEqual([])
    await sql`update ticket_report_blocks set facts = ''`.execute(db)
    expect(await findFigures(db, later, anything, 'week')).toEqual([])
  })

  it('are unpacked again only when they were packed again', async () => {
    await fill()
    await packBlocks(server.running.services)
    const read = async () => {
      const found = new Map<number, unknown>()
      for await (const [block, facts] of readBlocks(db, { from: start, to: at(10_000) })) found.set(block, facts)
      return found
    }
    const before = await read()
    expect(before.size).toBeGreaterThan(3)
    await sql`update tickets set kind = 'refund' where id = ${ids[0]}`.execute(db)
    await packBlocks(server.running.services)
    const after = await read()
    const changed = Math.floor((ids[0] ?? 0) / 256)
    for (const [block, facts] of after) expect(facts === before.get(block)).toBe(block !== changed)
    expect(after.size).toBe(before.size)
    await check()
  })

  it('that were never packed are read from their tickets', async () => {
    await fill()
    await packBlocks(server.running.services)
    await sql`update ticket_report_blocks set facts = null, first_at = null, last_at = null`.execute(db)
    await check()
    await packBlocks(server.running.services)
    expect(await sql`select from ticket_report_blocks where facts is null`.execute(db)).toMatchObject({ rows: [] })
    await check()
  })
})
