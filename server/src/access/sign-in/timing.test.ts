// @module-tag slow
import { requestRecovery } from '@limber/contract/access/recovery/recovery.ts'
import { verifyCredentials } from '@limber/contract/access/sign-in/sign-in.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '#platform/clock.ts'
import type { TestServer } from '#platform/testing/testing.ts'
import { type Account, makeAccount, openBrowser, startAccessServer } from './sign-in.testing.ts'

let server: TestServer
const accounts: Account[] = []
beforeAll(async () => {
  server = await startAccessServer()
  for (let i = 0; i < 20; i++) accounts.push(await makeAccount(server))
})
afterAll(() => server.stop())

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Times known and unknown addresses in turn, so that whatever slows the machine slows both. */
async function compare(call: CallDefinition, rounds: number, perDay: number) {
  const times: [number[], number[]] = [[], []]
  for (let i = 0; i < rounds; i++) {
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

// Five milliseconds on a machine that has nothing else to do; a busy one is given a share of its own slowness.
const allowed = (times: number[]) => Math.max(5, median(times) * 0.15)

describe('time', () => {
  it('A2 does not tell a known address from an unknown one at sign-in', { timeout: 60_000 }, async () => {
    await compare(verifyCredentials, 30, 5)
    const [known, unknown] = await compare(verifyCredentials, 500, 5)
    expect(known).toHaveLength(500)
    expect(Math.abs(median(known) - median(unknown))).toBeLessThan(allowed(unknown))
  })

  it('R2 does not tell them apart at recovery', { timeout: 60_000 }, async () => {
    await compare(requestRecovery, 5, 2)
    const [known, unknown] = await compare(requestRecovery, 40, 2)
    expect(Math.abs(median(known) - median(unknown))).toBeLessThan(allowed(unknown))
  })
})
