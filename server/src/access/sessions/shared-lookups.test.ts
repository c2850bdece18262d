import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { endSession, makeSessionFinder } from './session.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

it('finds the sessions of requests that arrive together in one statement, each its own', async () => {
  const [one, two, ended] = [await server.signIn([]), await server.signIn([]), await server.signIn([])]
  const now = server.clock.now()
  await endSession(server.db, ended.sessionId, 'signed out', now)
  const statements = vi.spyOn(server.db, 'executeQuery')
  const finder = makeSessionFinder(server.db)
  const tokens = [two.token, one.token, ended.token, 'x'.repeat(43), one.token]
  const found = await Promise.all(tokens.map((token) => finder.find(token, now)))
  expect(found.map((caller) => caller?.sessionId)).toEqual([
    two.sessionId,
    one.sessionId,
    undefined,
    undefined,
    one.sessionId,
  ])
  expect(statements).toHaveBeenCalledTimes(1)
  statements.mockRestore()
})

it('does not answer from a statement that started before the request', async () => {
  const { token, sessionId } = await server.signIn([])
  const now = server.clock.now()
  const finder = makeSessionFinder(server.db)
  const earlier = finder.find(token, now)
  await new Promise((resolve) => setImmediate(resolve))
  await endSession(server.db, sessionId, 'signed out', now)
  expect(await finder.find(token, now)).toBeUndefined()
  await earlier
})
