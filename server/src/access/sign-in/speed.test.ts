import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from '#platform/testing/testing.ts'
import { type Account, makeAccount, openBrowser, signInUntil, startAccessServer } from './sign-in.testing.ts'

// A measurement that needs an idle machine: LIMBER_SPEED=1 vitest run --config server/vitest.config.ts speed
describe.skipIf(!process.env.LIMBER_SPEED)('speed', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startAccessServer({ LIMBER_CHECK_REPLIES: '0' })
  })
  afterAll(() => server.stop())

  it('takes less than 250 ms for the calls of a complete sign-in', { timeout: 60_000 }, async () => {
    const times: number[] = []
    for (let i = 0; i < 60; i++) {
      const account = await makeAccount(server)
      const browser = openBrowser(server)
      let spent = 0
      const timed: typeof browser = {
        ...browser,
        async send(call, input, extras) {
          const began = performance.now()
          const reply = await browser.send(call, input, extras)
          spent += performance.now() - began
          return reply
        },
      }
      await signInUntil(server, account, 'signed_in', timed)
      times.push(spent)
    }
    const sorted = times.toSorted((a, b) => a - b)
    process.stdout.write(`sign-in: median ${sorted[30]?.toFixed(1)} ms, slowest ${sorted.at(-1)?.toFixed(1)} ms\n`)
    expect(sorted[30]).toBeLessThan(250)
  })

  it('signs 500 workers in within a minute', { timeout: 120_000 }, async () => {
    const accounts: Account[] = []
    for (let i = 0; i < 500; i++) accounts.push(await makeAccount(server))
    const began = performance.now()
    const waiting = [...accounts]
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let next = waiting.pop(); next; next = waiting.pop()) await signInUntil(server, next, 'signed_in')
      }),
    )
    const seconds = (performance.now() - began) / 1000
    process.stdout.write(`500 sign-ins: ${seconds.toFixed(1)} s\n`)
    expect(seconds).toBeLessThan(60)
    expect(await server.db.selectFrom('sessions').select('id').where('ended_at', 'is', null).execute()).toHaveLength(
      560,
    )
  })
})
