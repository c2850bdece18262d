import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { type ReportRow, reportGroups, type TicketFigure } from '@limber/contract/support/report/figure.ts'
import { exportSupportReport, readSupportReport } from '@limber/contract/support/report/report.ts'
import { countTickets, listTickets } from '@limber/contract/support/tickets/ticket.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { insertSettings } from '../promises/promise.queries.ts'
import { draftPromises } from '../promises/promise.testing.ts'
import { tendPromises } from '../promises/tend-promises.ts'
import { makeTag } from '../queues/queue.factory.ts'
import { makeTicket } from '../tickets/ticket.factory.ts'
import { weeksOf } from './report.rules.ts'

let server: TestServer
let agent: TestCaller
let today: string
let tags: number[]

const kinds = ['question', 'refund', null] as const
const figures = ['opened', 'replied', 'closed', 'kept', 'missed', 'good', 'bad'] as const satisfies TicketFigure[]

/** Sixty tickets over fifty days, of every kind, channel and fate. */
beforeAll(async () => {
  server = await startTestServer()
  agent = server.as('tickets.handle')
  const { db, clock } = server
  const workerId = (await agent.worker()).id
  today = companyDay(clock.now())
  tags = [(await makeTag(db)).id, (await makeTag(db)).id]
  const since = shift(clock.now(), -60 * DAY)
  await insertSettings(db, draftPromises(), { version: 1, timeZone: 'America/Los_Angeles', workerId, at: since })
  for (let n = 0; n < 60; n++) {
    const openedAt = shift(clock.now(), -(n * 20 + 1) * HOUR)
    const isAnswered = n % 5 !== 0
    const isClosed = n % 3 === 0
    const { id } = await makeTicket(db, {
      created_at: openedAt,
      customer_email: `c${n % 7}@example.com`,
      kind: kinds[n % 3] ?? null,
      tags: n % 4 === 0 ? [...tags] : n % 4 === 1 ? [tags[0] as number] : [],
      assignee_id: n % 2 ? workerId : null,
      created_by: n % 6 === 0 ? workerId : null,
      thread: [{ content: 'Lost' }, ...(isAnswered ? [{ content: 'Found', workerId, after: (n % 9) * 45 }] : [])],
    })
    if (n % 6 === 1)
      await sql`update ticket_messages set inbound_key = ${`<${n}@example.com>`} where ticket_id = ${id} and from_customer`.execute(
        db,
      )
    if (!isClosed) continue
    const closedAt = shift(openedAt, (30 + n) * MINUTE)
    await sql`update tickets set status = 'closed' where id = ${id}`.execute(db)
    await sql`insert into ticket_events (ticket_id, kind, text, created_at) values (${id}, 'status', 'Set to Closed', ${closedAt})`.execute(
      db,
    )
    if (isAnswered)
      await sql`insert into ticket_ratings (ticket_id, created_at, asked_at, outbox_key, rating, rated_at)
        values (${id}, ${closedAt}, ${closedAt}, ${`ticket-rating-${id}`}, ${n % 4 === 0 ? 'bad' : 'good'}, ${shift(closedAt, HOUR)})`.execute(
        db,
      )
  }
  await tendPromises(server.running.services)
})
afterAll(() => server.stop())

const read = async (query: Record<string, string>) => {
  const reply = await agent.send(readSupportReport, { query: query as never })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
/** The tickets behind a number, by the list and by its count. */
async function behind(query: Record<string, string>) {
  const listed = await agent.send(listTickets, { query: { ...query, limit: '100' } as never })
  expect(listed.status, listed.text).toBe(200)
  const counted = await agent.send(countTickets, { query: query as never })
  expect(counted.body.matching).toBe(listed.body.length)
  return listed.body.length
}
const filterOf = (by: (typeof reportGroups)[number], { key }: ReportRow): Record<string, string> => {
  if (key === 'all' || by === 'week') return {}
  return { [by === 'agent' ? 'assignee' : by]: key }
}

describe('the support report', () => {
  it.each(reportGroups)('has numbers that open exactly the tickets that they count: by %s', async (by) => {
    const days = { from: addDays(today, -33), to: addDays(today, -2) }
    const { rows, total } = await read({ ...days, by })
    expect(rows.length).toBeGreaterThan(1)
    for (const row of [...rows, total])
      for (const figure of figures) {
        const query = { figure, from: row.from, to: row.to, ...filterOf(by, row) }
        expect([row.label, figure, await behind(query)]).toEqual([row.label, figure, row[figure]])
      }
    for (const figure of figures) expect(total[figure], figure).toBeGreaterThan(0)
    // Each ticket is in one group, except that it has several tags, and promises in several weeks.
    if (by !== 'tag')
      for (const figure of ['opened', 'replied', 'closed', 'good', 'bad'] as const)
        expect(rows.reduce((sum, row) => sum + row[figure], 0)).toBe(total[figure])
  })

  it('combines its filters', async () => {
    const days = { from: addDays(today, -60), to: today }
    for (const filter of [
      { kind: 'none' },
      { kind: 'refund', channel: 'api' },
      { tag: String(tags[1]), assignee: 'none' },
    ]) {
      const { total } = await read({ ...days, ...(filter as Record<string, string>) })
      expect(total.opened).toBeGreaterThan(0)
      for (const figure of figures)
        expect([figure, await behind({ figure, ...days, ...(filter as Record<string, string>) })]).toEqual([
          figure,
          total[figure],
        ])
    }
  })

  it('has the open tickets by age', async () => {
    const { backlog } = await read({ from: today, to: today })
    expect(backlog.map(({ age }) => age)).toEqual(['today', 'week', 'month', 'older'])
    for (const { from, to, tickets } of backlog) expect(await behind({ figure: 'backlog', from, to })).toBe(tickets)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from tickets where status <> 'closed'`.execute(
      server.db,
    )
    expect(backlog.reduce((sum, { tickets }) => sum + tickets, 0)).toBe(rows[0]?.n)
  })

  it('has the median and the 90th percentile of its times', async () => {
    const days = { from: addDays(today, -33), to: today }
    const { total } = await read(days)
    const { rows } = await sql<{ minutes: number }>`
      select extract(epoch from min(m.created_at) - t.created_at)::float / 60 as minutes
      from tickets t join ticket_messages m on m.ticket_id = t.id and not m.from_customer
      group by t.id having min(m.created_at) >= ${`${days.from}T00:00:00-08:00`}::timestamptz order by 1`.execute(
      server.db,
    )
    const sorted = rows.map(({ minutes }) => minutes)
    const at = (share: number) => {
      const place = share * (sorted.length - 1)
      const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
      return Math.round(low + (high - low) * (place - Math.floor(place)))
    }
    expect(total.replied).toBe(sorted.length)
    expect(total.firstReply).toEqual({ median: at(0.5), p90: at(0.9) })
  })

  it('follows a search in the list behind a number', async () => {
    const query = { figure: 'opened', from: addDays(today, -33), to: today, search: 'c3@example.com' }
    const listed = await agent.send(listTickets, { query: { ...query, limit: '100' } as never })
    expect(listed.body.length).toBeGreaterThan(0)
    expect(new Set(listed.body.map(({ customer_email }) => customer_email))).toEqual(new Set(['c3@example.com']))
  })

  it('is exported as CSV, with the same numbers', async () => {
    const query = { from: addDays(today, -33), to: today, by: 'kind' }
    const { rows } = await read(query)
    const csv = await agent.send(exportSupportReport, { query: query as never })
    expect(csv.status).toBe(200)
    const lines = csv.text.trim().split('\r\n')
    expect(lines[0]).toContain('Group,From,To,Opened,First responses')
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 4).join())).toEqual(
      rows.map(({ label, from, to, opened }) => [label, from, to, opened].join()),
    )
  })

  it('refuses a range that ends before it starts or is too long, and is closed to others', async () => {
    for (const days of [
      { from: '2026-02-02', to: '2026-02-01' },
      { from: '2020-01-01', to: '2026-01-01' },
    ]) {
      const refused = await agent.send(readSupportReport, { query: days as never })
      expect([refused.status, refused.failure.code]).toEqual([422, 'range'])
    }
    expect(
      (await agent.send(readSupportReport, { query: { from: '2026-02-30', to: '2026-03-01' } as never })).status,
    ).toBe(400)
    expect(
      (await server.as('support.tab').send(readSupportReport, { query: { from: today, to: today } as never })).status,
    ).toBe(403)
  })
})

describe('weeks', () => {
  it('are those of the company, cut at the range', () => {
    expect(weeksOf({ from: '2026-11-04', to: '2026-11-17' })).toEqual([
      { from: '2026-11-04', to: '2026-11-08' },
      { from: '2026-11-09', to: '2026-11-15' },
      { from: '2026-11-16', to: '2026-11-17' },
    ])
    expect(weeksOf({ from: '2026-11-10', to: '2026-11-10' })).toEqual([{ from: '2026-11-10', to: '2026-11-10' }])
  })
})
