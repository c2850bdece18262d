// @module-tag slow
import { calls } from '@limber/contract/calls.ts'
import type { BatchReply, ItemResult } from '@limber/contract/kit/batch.ts'
import { makeApiKey } from '@limber/server/access/api-keys/api-key.factory.ts'
import type { TestServer } from '@limber/server/platform/testing/testing.ts'
import { startTestServer } from '@limber/server/platform/testing/testing.ts'
import { watchWrites } from '@limber/server/platform/testing/testing.writes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copySampleCompany, SEED_TIMEOUT } from '../seed/seed-company.testing.ts'
import { makeChance } from './chance.ts'
import { type Known, makeItems, makers } from './items.ts'

/** Batches per resource: a few in normal test runs, hundreds with `npm run fuzz`. */
const CASES = Number(process.env.LIMBER_FUZZ_CASES ?? 5)
const SEED = Number(process.env.LIMBER_FUZZ_SEED ?? 20_261_118)

/** What only a batch writes here. */
const RECORDS =
  /^(customers|stretchers|bookings|customer_transactions|credit_entries|rewards|onsite_participants|leads|tickets|ticket_messages|payroll_history|external_refs|suppressions) /

let server: TestServer
let writes: Awaited<ReturnType<typeof watchWrites>>
let known: Known
let authorization: string
beforeAll(async () => {
  server = await startTestServer({ database: await copySampleCompany() })
  authorization = `Bearer ${(await makeApiKey(server.db, { source: 'fuzz' })).token}`
  const ids = async (table: string) => {
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} order by id limit 40`.execute(
      server.db,
    )
    return rows.map(({ id }) => id)
  }
  const emails = async (table: string) => {
    const { rows } = await sql<{ email: string }>`
      select email from ${sql.table(table)} order by id limit 40`.execute(server.db)
    return rows.map(({ email }) => email)
  }
  known = {
    now: server.clock.now(),
    ids: {
      customers: await ids('customers'),
      stretchers: await ids('stretchers'),
      bookings: await ids('bookings'),
      transactions: await ids('customer_transactions'),
      zones: await ids('zones'),
      sessions: await ids('onsite_sessions'),
    },
    workers: await emails('workers'),
    emails: await emails('customers'),
  }
  writes = await watchWrites(server.db)
}, SEED_TIMEOUT)
afterAll(() => server.stop())

async function send(resource: string, items: readonly object[], what: string): Promise<BatchReply> {
  const call = calls.find(({ path }) => path === `/api/v1/${resource}/batch`)
  if (!call) throw new Error(`${resource} takes no batches`)
  await sql`delete from rate_limits`.execute(server.db)
  const reply = await server.as().send(call, { body: { items } } as never, { headers: { authorization } })
  expect(reply.status, `${what}\n${reply.text.slice(0, 500)}`).toBe(200)
  return reply.body as BatchReply
}

const isAccepted = ({ status }: ItemResult) => status !== 'rejected'

/** One answer for each item, with counts that add up. */
function checkReply(resource: string, reply: BatchReply, items: readonly { external_id: string }[], what: string) {
  const { results, ...counts } = reply
  expect(
    results.map(({ external_id }) => external_id),
    what,
  ).toEqual(items.map(({ external_id }) => external_id))
  for (const status of ['created', 'updated', 'unchanged', 'stale', 'rejected'] as const)
    expect(counts[status], `${status}: ${what}`).toBe(results.filter((result) => result.status === status).length)
  for (const result of results)
    if (isAccepted(result)) expect(typeof result.id, what).toBe(resource === 'events' ? 'string' : 'number')
    else expect(result.errors?.length, what).toBeGreaterThan(0)
}

const hash = (text: string) => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7)

describe(`${CASES} batches of each record, seed ${SEED}`, () => {
  it.each(Object.keys(makers))(
    '/api/v1/%s/batch answers for each item, and changes nothing the second time',
    { timeout: 60_000 + CASES * 4000 },
    async (resource) => {
      const seen = { accepted: 0, items: 0 }
      for (let number = 0; number < CASES; number++) {
        const chance = makeChance(SEED + number * 7919 + hash(resource))
        const items = makeItems(resource, chance, known)
        const what = `seed ${SEED}, case ${number}: ${resource} ${JSON.stringify(items)}`
        await writes.clear()
        const first = await send(resource, items, what)
        checkReply(resource, first, items, what)
        if (!first.results.some(isAccepted))
          expect(
            (await writes.written()).filter((write) => RECORDS.test(write)),
            what,
          ).toEqual([])
        seen.items += items.length
        seen.accepted += first.results.filter(isAccepted).length
        const again = await send(resource, items, what)
        checkReply(resource, again, items, what)
        for (const [at, result] of first.results.entries())
          if (isAccepted(result))
            expect([again.results[at]?.id, again.results[at]?.status], `${at} again: ${what}`).toEqual([
              result.id,
              result.status === 'stale' ? 'stale' : 'unchanged',
            ])
      }
      // If most items were rejected, the test would prove little.
      if (CASES >= 100) expect(seen.accepted / seen.items).toBeGreaterThan(0.3)
    },
  )
})
