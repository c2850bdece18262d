// @module-tag slow
import { calls } from '@limber/contract/calls.ts'
import { type CallDefinition, isMutation } from '@limber/contract/kit/call.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApiKey } from '#access/api-keys/api-key.factory.ts'
import { refreshFigures } from '#growth/public.ts'
import { explainStatements, type RequestCost, watchPlans, widestScan } from '#platform/testing/testing.plans.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { copySampleCompany, SEED_TIMEOUT } from '../../seed/seed-company.testing.ts'
import { addLaterRecords, typicalInputs } from './typical-inputs.testing.ts'

/** Rows that a write may read without changing them, at any table size. */
const MAX_ROWS_READ = 100

/** Writes that need to read more, and why. */
const exceptions: Record<string, string> = {
  'POST /api/support/notifications': 'counts its recipients',
  'POST /api/tech/health/check': 'reads the samples of a day',
  'PATCH /api/marketing/partner/businesses/:id': 'returns the first hundred addresses of its list',
  'POST /api/marketing/partner/businesses/:id/notes': 'returns the first hundred addresses of its list',
}

let server: TestServer
let boss: TestCaller
let program: { authorization: string }
let large: Set<string>
let inputs: ReturnType<typeof typicalInputs>
const plans = watchPlans()
beforeAll(async () => {
  const database = await copySampleCompany()
  // The planner scans small tables completely. Disabling that shows whether usable indexes exist.
  await explainStatements(database.url, { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' })
  server = await startTestServer({ database })
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class where reltuples >= 50`.execute(
    server.db,
  )
  large = new Set(rows.map(({ name }) => name))
  boss = server.asOwner({ isSteppedUp: true })
  program = { authorization: `Bearer ${(await makeApiKey(server.db)).token}` }
  await addLaterRecords(server.db, server.clock.now())
  await refreshFigures(server.running.services)
  inputs = typicalInputs(server.db, async () => (await boss.worker()).id)
}, SEED_TIMEOUT)
afterAll(async () => {
  plans.stop()
  await server.stop()
})

const nameOf = ({ method, path }: CallDefinition) => `${method} ${path}`
const writes = calls.filter(
  (call) => isMutation(call) && nameOf(call) in typicalInputs(undefined as never, undefined as never),
)

/** Ignores small tables, which are scanned completely despite their indexes. */
const readOfLarge = ({ statements }: RequestCost) =>
  statements
    .flatMap(({ scans }) => scans)
    .filter(({ table }) => large.has(table))
    .reduce((sum, { rows }) => sum + rows, 0)

const describeCost = ({ statements }: RequestCost) =>
  statements
    .toSorted((a, b) => b.read - a.read)
    .slice(0, 3)
    .map((cost) => `${widestScan(cost)}\n${cost.text.trim().slice(0, 600)}`)
    .join('\n---\n')

describe('a write reads few rows that it does not change', () => {
  it.each(writes.map((call) => [nameOf(call), call] as const))('%s', async (name, call) => {
    const input = (await inputs[name]?.()) ?? {}
    const reply = await boss.send(call, input as never, { headers: call.permission === 'api-key' ? program : {} })
    expect(reply.status, `${reply.text}\n${JSON.stringify(input)}`).toBeLessThan(300)
    const cost = plans.cost()
    expect(cost.statements.length).toBeGreaterThan(0)
    if (!(name in exceptions))
      expect(readOfLarge(cost) - cost.changed, describeCost(cost)).toBeLessThanOrEqual(MAX_ROWS_READ)
  })
})
