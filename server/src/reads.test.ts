// @module-tag slow
import { AsyncLocalStorage } from 'node:async_hooks'
import { calls } from '@limber/contract/calls.ts'
import { type CallDefinition, isMutation } from '@limber/contract/kit/call.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { makeApiKey } from '#access/api-keys/api-key.factory.ts'
import { openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import type { Route } from '#platform/http/routes.ts'
import type { Input } from '#platform/testing/testing.inputs.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { copySampleCompany, SEED_TIMEOUT } from '../../seed/seed-company.testing.ts'
import { allRoutes } from './app.ts'
import { addLaterRecords, typicalInputs } from './typical-inputs.testing.ts'

/** Without the session lookup, which comes before every call. A record with its related rows may take two more. */
const MAX_PER_LIST = 4
const MAX_PER_RECORD = 6

const statements = new AsyncLocalStorage<string[]>()
let latest: string[] = []

/** Records only the statements of the route, not those of background work. */
const watched = (route: Route): Route => ({
  ...route,
  handle: async (context) => {
    const own: string[] = []
    try {
      return await statements.run(own, () => route.handle(context))
    } finally {
      latest = own
    }
  },
})

let server: TestServer
let boss: TestCaller
let program: { authorization: string }
let inputs: ReturnType<typeof typicalInputs>
let database: Awaited<ReturnType<typeof copySampleCompany>>
beforeAll(async () => {
  const { query } = pg.Client.prototype as unknown as { query: (...all: unknown[]) => unknown }
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...all: unknown[]) {
    const [first] = all as [{ text?: string } | string]
    statements.getStore()?.push(typeof first === 'string' ? first : (first.text ?? ''))
    return query.apply(this, all)
  } as never)
  // Building the routes opens no connection.
  const routes = allRoutes(openDb(openPool('postgres://localhost/none'))).routes.map(watched)
  database = await copySampleCompany()
  server = await startTestServer({ database, routes })
  boss = server.asOwner({ isSteppedUp: true })
  program = { authorization: `Bearer ${(await makeApiKey(server.db)).token}` }
  await addLaterRecords(server.db, server.clock.now())
  inputs = typicalInputs(server.db, async () => (await boss.worker()).id)
}, SEED_TIMEOUT)
afterAll(async () => {
  vi.restoreAllMocks()
  await server.stop()
})

/** These compute rather than read. Each has its own tests. */
const computations = [
  'POST /api/payroll/audit',
  'POST /api/payroll/fix-discrepancies/preview',
  'GET /api/support/tickets/:id/macros/:reply',
  'POST /api/payroll/check-discrepancies',
  'POST /api/access/audit/verify',
]

/** Records with their related rows. */
const records = [
  'GET /api/profile',
  'GET /api/access/workers/:id',
  'GET /api/payroll/earners/:id',
  'GET /api/stretchers/:id',
  'GET /api/marketing/city-summary',
  'GET /api/payroll/wage-statements',
  'GET /api/payroll/wage-statements/:earner',
  'GET /api/payroll/entries/:id/explanation',
  'GET /api/payroll/periods/story',
  'POST /api/training/courses/readiness',
  'GET /api/support/tickets/:id/context',
  'POST /api/training/courses/analytics',
]

const nameOf = ({ method, path }: CallDefinition) => `${method} ${path}`
const reads = calls.filter(
  (call) =>
    !isMutation(call) &&
    call.permission !== 'public' &&
    call.permission !== 'attempt' &&
    call.replyType !== 'stream' &&
    !computations.includes(nameOf(call)),
)
const send = (call: CallDefinition, input: Input) =>
  boss.send(call, input as never, { headers: call.permission === 'api-key' ? program : {} })
const partOf = (schema: z.ZodType | undefined) =>
  schema ? Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {}) : []

/** The same call for a short page and a long one. */
function lengthsOf(call: CallDefinition, input: Input): Input[] {
  if (partOf(call.query).includes('limit'))
    return ['1', '100'].map((limit) => ({ ...input, query: { ...input.query, limit } }))
  if (partOf(call.body).includes('limit'))
    return [1, 100].map((limit) => ({ ...input, body: { ...input.body, limit } }))
  return [input]
}

describe('every read', () => {
  it.each(reads.map((call) => [nameOf(call), call] as const))(
    '%s takes few statements at any reply length',
    async (name, call) => {
      const input = (await inputs[name]?.()) ?? {}
      // The first caller computes cached figures.
      await send(call, input)
      const counts = new Set<number>()
      for (const sized of lengthsOf(call, input)) {
        const reply = await send(call, sized)
        expect(reply.status, `${reply.text} Add the input of this call to typical-inputs.testing.ts.`).toBe(200)
        const max = records.includes(name) ? MAX_PER_RECORD : MAX_PER_LIST
        expect(latest.length, latest.join('\n---\n')).toBeLessThanOrEqual(max)
        counts.add(latest.length)
      }
      expect([...counts]).toHaveLength(1)
    },
  )
})
