import { readPeriodStory } from '@limber/contract/payroll/entries/period-story.ts'
import { listDetails } from '@limber/contract/payroll/lists/detail.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeEarner, makeEntry, makePeriod } from '../payroll.factory.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const storyOf = async (period_id?: number) =>
  (
    await server.as('payroll.details').send(readPeriodStory, {
      query: period_id === undefined ? {} : { period_id: String(period_id) },
    })
  ).body.story

describe('the story of a pay period', () => {
  it('is empty without periods, and closed to others', async () => {
    expect(await storyOf()).toBeNull()
    expect((await server.as('payroll.summary').send(readPeriodStory, { query: {} })).status).toBe(403)
  })

  it('says what is paid, what changed, and what is open', async () => {
    const { db } = server
    const steady = await makeEarner(db, 'stretcher', { effective_from: '2020-01-01' })
    const more = await makeEarner(db, 'worker')
    const gone = await makeEarner(db, 'stretcher', { effective_from: '2020-01-01' })
    const before = '2026-09-29'
    const day = '2026-10-13'
    const pay = (earner: { id: number }, work_date: string, amount: string, over: object = {}) =>
      makeEntry(db, { earner_id: earner.id, work_date, amount, withheld: '10', employer_tax: '5', ...over })
    await pay(steady, before, '100')
    await pay(more, before, '100')
    await pay(gone, before, '80.5')
    await pay(steady, day, '100')
    await pay(more, day, '200')
    await pay(more, day, '50', { type: 'bonus', status: 'pending' })
    await pay(steady, day, '999', { status: 'cancelled' })
    const voided = await pay(steady, day, '77')
    await sql`insert into payroll_voids (payroll_id, reason, created_at) values (${voided.id}, 'No show', now())`.execute(
      db,
    )
    const [period, past] = [await makePeriod(db, day), await makePeriod(db, before)]

    const story = await storyOf(period.id)
    expect(story?.totals).toEqual({
      entries: 3,
      earners: 2,
      amount: 350,
      withheld_tax: 30,
      employer_tax: 15,
      net_pay: 320,
    })
    expect(story?.totals_before).toMatchObject({ entries: 3, earners: 3, amount: 280.5 })
    expect(story?.before?.id).toBe(past.id)
    expect(story?.types).toEqual([
      { type: 'session', entries: 2, amount: 300, amount_before: 280.5 },
      { type: 'bonus', entries: 1, amount: 50, amount_before: 0 },
    ])
    expect(story?.changes.map(({ earner_id, amount, amount_before }) => [earner_id, amount, amount_before])).toEqual([
      [more.id, 250, 100],
      [gone.id, 0, 80.5],
    ])
    expect(story?.changes.every(({ name }) => name !== '')).toBe(true)
    expect(story?.open.overdue).toEqual({ entries: 1, amount: 50 })
    expect(story?.open.without_profile).toMatchObject({ count: 1, earners: [{ id: more.id }] })
    expect(story?.open.open_periods).toBe(1)
    // The list of the period agrees, apart from the voided entry.
    const listed = (await server.as('payroll.details').send(listDetails, { query: { period_id: String(period.id) } }))
      .body.totals
    expect(listed.amount - 77).toBe(350)

    const first = await storyOf(past.id)
    expect(first).toMatchObject({ before: null, totals_before: null, changes: [], next_id: period.id })
    expect(await storyOf(period.id + 1000)).toBeNull()
  })

  it('is about the next period to be paid', async () => {
    const { db } = server
    const earner = await makeEarner(db)
    const today = server.clock.now().toISOString().slice(0, 10)
    await makeEntry(db, { earner_id: earner.id, work_date: today, status: 'pending' })
    await makeEntry(db, { earner_id: earner.id, work_date: '2099-01-05', status: 'pending' })
    const story = await storyOf()
    expect(story?.period.id).toBe((await makePeriod(db, today)).id)
    expect(story?.open.overdue).toEqual({ entries: 0, amount: 0 })
  })
})
