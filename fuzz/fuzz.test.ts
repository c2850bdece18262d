// @module-tag slow
import { permissionNames } from '@limber/contract/access/permissions.ts'
import { calls } from '@limber/contract/calls.ts'
import { type CallDefinition, Failure, isMutation } from '@limber/contract/kit/call.ts'
import { makeApiKey } from '@limber/server/access/api-keys/api-key.factory.ts'
import type { TestCaller, TestReply, TestServer } from '@limber/server/platform/testing/testing.ts'
import { startTestServer } from '@limber/server/platform/testing/testing.ts'
import { watchWrites } from '@limber/server/platform/testing/testing.writes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copySampleCompany, SEED_TIMEOUT } from '../seed/seed-company.testing.ts'
import { makeChance } from './chance.ts'
import { type Kind, makeRequest } from './requests.ts'

/** Requests per call: a few in normal test runs, hundreds with `npm run fuzz`. */
const CASES = Number(process.env.LIMBER_FUZZ_CASES ?? 3)
const SEED = Number(process.env.LIMBER_FUZZ_SEED ?? 20_261_116)
const KINDS: readonly Kind[] = ['plain', 'broken', 'edge']

/** Writes that a refused request may leave: audit, rate limits, use of sessions and keys, events, used challenges, and rejected batches. */
const ALLOWED_ON_REFUSAL =
  /^(audit_|rate_limits|sessions update|event|failure|passkey_challenges delete|api_key_usage|api_keys update|inbound_events)/
/** Writes of background work, such as email delivery and figures. */
const BACKGROUND = /^(outbox update|mailbox insert|email_log|growth_|referral|record_changes|payroll_checks)/
const unexpectedWrites = async () =>
  (await writes.written()).filter((write) => !ALLOWED_ON_REFUSAL.test(write) && !BACKGROUND.test(write))

let program: { authorization: string }

let server: TestServer
let writes: Awaited<ReturnType<typeof watchWrites>>
beforeAll(async () => {
  server = await startTestServer({ database: await copySampleCompany() })
  program = { authorization: `Bearer ${(await makeApiKey(server.db)).token}` }
  writes = await watchWrites(server.db)
}, SEED_TIMEOUT)
afterAll(() => {
  process.stdout.write(
    `${sent} requests to ${fuzzed.length} calls, seed ${SEED}; ${granted.size} calls with a success\n`,
  )
  return server.stop()
})

const granted = new Set<CallDefinition>()
let sent = 0
const signIn = () => server.asSteppedUp(...permissionNames)
const isGuarded = ({ permission }: CallDefinition) => permission !== 'public' && permission !== 'attempt'
const fuzzed = calls.filter(({ replyType, bodyType }) => replyType !== 'stream' && (bodyType ?? 'json') === 'json')

/** Describes a request in a failure message. */
const describeRequest = (call: CallDefinition, number: number, request: object) =>
  `seed ${SEED}, case ${number}: ${call.method} ${call.path} ${JSON.stringify(request).replaceAll(/(.)\1{40,}/g, '$1…')}`

/** Whether the contract declares this status, such as 503 for a missing setup. */
const isDeclared = (call: CallDefinition, { status, failure }: TestReply) =>
  call.refusals?.[failure?.code]?.[0] === status

async function trySend(call: CallDefinition, caller: TestCaller, number: number): Promise<number> {
  const chance = makeChance(SEED + number * 7919 + hash(call.path + call.method))
  const request = makeRequest(call, chance, KINDS[number % KINDS.length] ?? 'plain')
  const what = describeRequest(call, number, request)
  await caller.worker()
  await sql`delete from rate_limits`.execute(server.db)
  await writes.clear()
  sent += 1
  const reply = await caller.send(call, request as never, { headers: call.permission === 'api-key' ? program : {} })
  if (!isDeclared(call, reply)) expect(reply.status, `${what}\n${reply.text.slice(0, 500)}`).toBeLessThan(500)
  const isRefused = reply.status >= 400
  // Every refusal has the documented format.
  if (isRefused) expect(Failure.safeParse(reply.failure).success, `${what}\n${reply.text.slice(0, 500)}`).toBe(true)
  if (isRefused ? isGuarded(call) : !isMutation(call)) expect(await unexpectedWrites(), what).toEqual([])
  return reply.status
}

const hash = (text: string) => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7)

describe(`${CASES} requests per call, seed ${SEED}`, () => {
  it.each(fuzzed.map((call) => [`${call.method} ${call.path}`, call] as const))(
    '%s handles any request',
    { timeout: 120_000 + CASES * 2000 },
    async (_name, call) => {
      let caller = signIn()
      for (let number = 0; number < CASES; number += 1) {
        const status = await trySend(call, caller, number)
        if (status < 300) granted.add(call)
        // The request may have signed the caller out or removed its permissions.
        if (status === 401 || status === 403) caller = signIn()
      }
    },
  )

  // If all requests were rejected early, the test would prove little.
  it('gets successful replies from enough calls', () => {
    expect(fuzzed.length).toBeGreaterThan(200)
    expect(granted.size / fuzzed.length).toBeGreaterThan(CASES < 30 ? 0.35 : 0.5)
  })
})
