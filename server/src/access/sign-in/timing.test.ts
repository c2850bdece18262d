// @module-tag slow
import { requestRecovery } from '@limber/contract/access/recovery/recovery.ts'
import { verifyCredentials } from '@limber/contract/access/sign-in/sign-in.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '#platform/clock.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import type { TestServer } from '#platform/testing/testing.ts'
import { type Account, makeAccount, openBrowser, startAccessServer } from './sign-in.testing.ts'

let server: TestServer
const accounts: Account[] = []
beforeAll(async () => {
  server = await startAccessServer()
  for (let i = 0; i < 20; i++) accounts.push(await makeAccount(server))
})
afterAll(() => server.stop())

/** The lower quartile: what a busy machine delays lies above it, what the server does for an email lies in it. */
const quartile = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0

/** Times known and unknown emails alternately, so that load on the machine affects both. */
async function compare(call: CallDefinition, pairs: number, perDay: number) {
  const times: [number[], number[]] = [[], []]
  for (let i = 0; i < pairs; i++) {
    if (i % (accounts.length * perDay) === 0) server.clock.advance(DAY)
    const known = accounts[i % accounts.length]?.email ?? ''
    const unknown = known.replace('robin', 'nobby')
    for (const [side, email] of (i % 2 ? [known, unknown] : [unknown, known]).map(
      (email) => [email === known ? 0 : 1, email] as const,
    )) {
      const browser = openBrowser(server)
      const began = performance.now()
      const reply = await browser.send(call, { body: { email } } as never)
      times[side].push(performance.now() - began)
      expect(reply.status).toBeLessThan(300)
    }
  }
  return times
}

const TIMES = rounds(120, 500)
// Five milliseconds on an idle machine, and a share of the quartile on a busy one. Fewer requests give a coarser one.
const allowed = (times: number[]) => Math.max(5, quartile(times) * rounds(0.5, 0.15))

describe('response time', () => {
  it('A2 does not reveal known emails at sign-in', { timeout: 300_000 }, async () => {
    await compare(verifyCredentials, 30, 5)
    const [known, unknown] = await compare(verifyCredentials, TIMES, 5)
    expect(known).toHaveLength(TIMES)
    expect(Math.abs(quartile(known) - quartile(unknown))).toBeLessThan(allowed(unknown))
  })

  it('R2 does not reveal known emails at recovery', { timeout: 300_000 }, async () => {
    await compare(requestRecovery, 5, 2)
    const [known, unknown] = await compare(requestRecovery, 40, 2)
    expect(Math.abs(quartile(known) - quartile(unknown))).toBeLessThan(allowed(unknown))
  })
})
