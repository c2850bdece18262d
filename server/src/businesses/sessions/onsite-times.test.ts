import { activateBlock } from '@limber/contract/businesses/sessions/onsite.ts'
import { inputFromMoment, momentsFromInput, readBareMoment, wallTime } from '@limber/contract/kit/zone-time.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HOUR } from '#platform/clock.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { bareMoment } from '../blocks/block.present.ts'
import { sessionEnd } from '../blocks/block.rules.ts'
import { makeBlock, makeBusiness } from '../business/business.factory.ts'
import { readMoment } from './schedule-session.ts'

const LA = 'America/Los_Angeles'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

describe.each(['UTC', LA, 'Asia/Kathmandu', 'Pacific/Kiritimati'])('T1 with server and browser in %s', (machine) => {
  beforeEach(() => {
    process.env.TZ = machine
  })
  afterEach(() => {
    process.env.TZ = 'UTC'
  })

  /** Times on a five-minute grid: half near a daylight saving change in California, half anywhere in two years. */
  const moments = Array.from({ length: 2000 }, (_, n) => {
    const change = Date.parse(n % 4 === 0 ? '2026-11-01T09:00Z' : '2027-03-14T10:00Z')
    const spread = n % 2 === 0 ? ((n * 97) % 576) - 288 : (n * 7919) % 210_000
    return new Date(change + spread * 300_000)
  })

  it('returns 2,000 times as typed in four time zones, with the right session length', async () => {
    const places = [LA, 'Europe/London', 'Asia/Kathmandu', 'Australia/Lord_Howe'] as const
    const placeOf = (n: number) => places[Math.floor(n / 4) % 4] ?? LA
    const untyped = moments.filter((at, n) => {
      const found = momentsFromInput(inputFromMoment(at, placeOf(n)), placeOf(n)) ?? []
      return !found.some((one) => one.getTime() === at.getTime())
    })
    expect(untyped).toEqual([])
    const starts = moments.map((at) => readMoment(activateBlock, at.toISOString()))
    const ends = starts.map((at) => sessionEnd(at, 2))
    const { rows } = await sql<{ starts_at: Date; ends_at: Date }>`
      select starts_at, ends_at from unnest(${starts}::timestamptz[], ${ends}::timestamptz[])
      with ordinality t(starts_at, ends_at, n) order by n`.execute(server.db)
    const read = rows.map((row) => [row.starts_at, row.ends_at].map((at) => readBareMoment(bareMoment(at)).getTime()))
    expect(read).toEqual(moments.map((at) => [at.getTime(), at.getTime() + 2 * HOUR]))
    // In local time, some of them look an hour longer and some an hour shorter.
    const shown = starts.map((at, n) => (wallTime(ends[n] ?? at, placeOf(n)) - wallTime(at, placeOf(n))) / HOUR)
    expect(new Set(shown)).toEqual(new Set([1, 2, 3]))
  })

  it('keeps a session two hours long across a daylight saving change', async () => {
    const { zone_id, id: business_id } = await makeBusiness(server.db)
    const { id } = await makeStretcher(server.db, { zone_id })
    const clerk = server.as('businesses.manage')
    for (const [start, shownStart, shownEnd] of [
      ['2027-03-14T06:00', '2027-03-13T22:00', '2027-03-14T00:00'],
      ['2027-03-14T08:00', '2027-03-14T00:00', '2027-03-14T03:00'],
      ['2027-03-14T10:00', '2027-03-14T03:00', '2027-03-14T05:00'],
      ['2027-11-07T05:30', '2027-11-06T22:30', '2027-11-07T00:30'],
      ['2027-11-07T07:30', '2027-11-07T00:30', '2027-11-07T01:30'],
      ['2027-11-07T09:30', '2027-11-07T01:30', '2027-11-07T03:30'],
    ] as const) {
      const { id: prepaid_block_id } = await makeBlock(server.db, { business_id })
      const { body } = await clerk.send(activateBlock, {
        body: { prepaid_block_id, stretcher_id: id, starts_at: `${start}:00Z` },
      })
      const [from, to] = [readBareMoment(body.starts_at), readBareMoment(body.ends_at)]
      expect([from.toISOString(), to.getTime() - from.getTime()]).toEqual([`${start}:00.000Z`, 2 * HOUR])
      expect([inputFromMoment(from, LA), inputFromMoment(to, LA)]).toEqual([shownStart, shownEnd])
    }
  })
})
