// @module-tag slow
import { Readable } from 'node:stream'
import { csvLine } from '@limber/contract/kit/csv.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { MINUTE } from '#platform/clock.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { clearRecords } from '#platform/testing/testing.sync.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { importTargets } from '../app.ts'
import { inspectFile } from './file/inspect-file.ts'
import { importTesting } from './imports.testing.ts'

let server: TestServer
let owner: TestCaller
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  await clearRecords(server.db, 'imports', 'bookings', 'email_logs', 'stretchers', 'customers', 'external_refs')
  owner = server.asOwner({ isSteppedUp: true })
})
const { check, apply, undo, rows } = importTesting(
  () => server,
  () => owner,
  importTargets,
)

const HEAD = ['ID', 'First name', 'Last name', 'Email', 'Phone', 'Joined', 'Referrer ID', 'Postal code']
const id = fc.constantFrom('c-1', 'c-2', 'c-3', 'c-4', '', 'ç 5', '=6', 'x'.repeat(201))
const name = fc.oneof(
  fc.constantFrom('Ada', '', '  ', "O'Neil, Jr.", '"Bo"', 'two\nlines', '=1+1'),
  fc.string({ maxLength: 8 }),
)
const row = fc.tuple(
  id,
  name,
  name,
  fc.constantFrom('ada@example.com', 'ADA@example.com ', 'bo@example.com', 'cy@example.com', 'no address', ''),
  fc.constantFrom('(951) 555-0142', '12', '', '+19515550142'),
  fc.constantFrom('2025-03-04', '', 'soon', '2099-01-01', 'Mar 5, 2025'),
  id,
  fc.constantFrom('92501', '00000', ''),
)
const table = fc.array(row, { minLength: 1, maxLength: 12 })

const customers = async () =>
  (
    await sql<object>`select email, first_name, last_name, phone, joined_at, postal_code, zone_id, referred_by_customer_id
    from customers order by email`.execute(server.db)
  ).rows
const fileOf = (lines: readonly (readonly string[])[]) => [HEAD, ...lines].map((cells) => csvLine([...cells])).join('')

describe('any file of customers', () => {
  it('does what its check planned, then is unchanged, and can be undone', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc
        .asyncProperty(table, table, async (first, second) => {
          // The rows of the first file are there when the second comes.
          for (const lines of [first, second]) {
            const content = fileOf(lines)
            if (lines.every((cells) => cells.every((cell) => cell === ''))) continue
            const before = await customers()
            const checked = await check('customers', content, { dates: 'mdy' })
            expect(checked.state).toBe('checked')
            expect(await customers()).toEqual(before)
            const { create, update } = checked.counts
            if (create + update === 0) continue
            const applied = await apply(checked.id)
            expect(applied.counts).toMatchObject({ created: create, updated: update, changed_since: 0 })
            const after = await customers()
            expect(after).toHaveLength(before.length + create)
            const repeated = await check('customers', content, { dates: 'mdy' })
            const states = new Map((await rows(repeated.id)).map(({ line, state }) => [line, state]))
            // A row that was rejected may name a later one, which now exists.
            for (const { line, outcome } of await rows(checked.id))
              if (outcome === 'applied') expect(states.get(line)).toBe('unchanged')
            expect(await undo(checked.id)).toMatchObject({ counts: { undone: create + update, kept: 0 } })
            expect(await customers()).toEqual(before)
            const again = await check('customers', content, { dates: 'mdy' })
            await apply(again.id)
            expect(await customers()).toEqual(
              after.map((each) => ({ ...each, referred_by_customer_id: expect.toSatisfy(() => true) })),
            )
          }
        })
        .beforeEach(async () => {
          await clearRecords(server.db, 'imports', 'customers', 'external_refs')
          // Calls are limited per minute.
          server.clock.advance(10 * MINUTE)
          owner = server.asOwner({ isSteppedUp: true })
        }),
      { endOnFailure: true, numRuns: rounds(10, 100), ...(rounds(1, 2) === 1 && { seed: 1 }) },
    )
  })
})

it('names bookings that overlap one in another batch of the file when it is applied', async () => {
  const { id: zone } = await makeZone(server.db)
  await apply((await check('customers', 'ID,First name,Last name,Email\nc-1,Ada,Diaz,ada@example.com')).id)
  const staff = `ID,First name,Last name,Email,Zone,Status,Hired\ns-1,Sam,Okafor,sam@example.com,${zone},active,2020-01-02`
  await apply((await check('stretchers', staff)).id)
  const first = Date.UTC(2023, 0, 1, 12)
  const hour = 3_600_000
  const booking = (n: number, place: number) => {
    const at = (hours: number) => new Date(first + (2 * place + hours) * hour).toISOString()
    return `b-${n},c-1,s-1,${zone},${at(0)},${at(1)},completed,95`
  }
  const lines = Array.from({ length: 600 }, (_, n) => booking(n, n))
  const content = [
    'Booking ID,Customer ID,Staff ID,Zone,Starts,Ends,Status,Price',
    ...lines,
    // Of the first booking of the file.
    booking(600, 0),
  ].join('\n')
  const { id, counts } = await check('bookings', content)
  expect(counts).toMatchObject({ create: 601, rejected: 0 })
  expect((await apply(id)).counts).toMatchObject({ created: 600, changed_since: 1 })
  const [named] = await rows(id, { state: 'changed_since' })
  expect(named).toMatchObject({ line: 602, outcome: null })
  expect(named?.detail).toMatch(/\w/)
})

it('writes a row once when two imports of one file are applied at once', async () => {
  const content = 'ID,First name,Last name,Email\nc-1,Ada,Diaz,ada@example.com'
  const [one, two] = [await check('customers', content), await check('customers', content)]
  const applied = await Promise.all([apply(one.id), apply(two.id)])
  expect(applied.map(({ state }) => state)).toEqual(['applied', 'applied'])
  const sum = (name: 'created' | 'changed_since') => applied.reduce((total, { counts }) => total + counts[name], 0)
  expect([sum('created'), sum('changed_since')]).toEqual([1, 1])
  expect(await customers()).toHaveLength(1)
})

it('reads a large file as it comes', { timeout: 600_000 }, async () => {
  const MEGABYTES = rounds(10, 200)
  const line = `Ada,Diaz,${'x'.repeat(1000)}\n`
  const lines = Math.floor((MEGABYTES * 1024 * 1024) / line.length)
  const open = async () =>
    Readable.from(
      (function* () {
        yield Buffer.from('First name,Last name,Notes\n')
        for (let n = 0; n < lines; n += 64) yield Buffer.from(line.repeat(Math.min(64, lines - n)))
      })(),
    )
  const facts = await inspectFile(open)
  expect(facts).toMatchObject({ rows: lines, encoding: 'utf-8', delimiter: ',' })
  expect(facts.columns.map(({ filled }) => filled)).toEqual([lines, lines, lines])
})
