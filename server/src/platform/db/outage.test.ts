import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { checkReady } from '@limber/contract/kit/meta.ts'
import { listUsers } from '@limber/contract/support/customers/customer.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBehindProxy } from '../testing/testing.proxy.ts'
import type { TestServer } from '../testing/testing.ts'

let server: TestServer
let proxy: Awaited<ReturnType<typeof startBehindProxy>>['proxy']
let stop: () => Promise<void>

beforeAll(async () => {
  ;({ server, proxy, stop } = await startBehindProxy())
})
afterAll(() => stop())

describe('an unreachable database', () => {
  it('causes 503 with a message, never 500, and recovers without a restart', async () => {
    const caller = server.as('users.overview')
    expect((await caller.send(listUsers)).status).toBe(200)
    proxy.cut()
    for (let i = 0; i < 3; i++) {
      const reply = await caller.send(checkSession)
      expect(reply).toMatchObject({ status: 503, failure: { code: 'unavailable' } })
      expect(reply.headers.get('retry-after')).toBe('2')
    }
    expect((await server.anonymous().send(checkReady)).status).toBe(503)
    proxy.restore()
    expect((await caller.send(listUsers)).status).toBe(200)
    expect((await server.anonymous().send(checkReady)).status).toBe(200)
  })
  it('fails only the transaction that was open when the connection was lost', async () => {
    const between = server.db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx)
      proxy.cut()
      await new Promise((done) => setTimeout(done, 100))
      await sql`select 1`.execute(tx)
    })
    await expect(between).rejects.toThrow()
    proxy.restore()
    expect((await server.as('users.overview').send(listUsers)).status).toBe(200)
  })
  it('causes 503 when a statement times out', async () => {
    const caller = server.as('users.overview')
    await caller.worker()
    const blocker = await server.running.services.pool.connect()
    await blocker.query('begin; lock table customers in access exclusive mode')
    expect(await caller.send(listUsers)).toMatchObject({ status: 503, failure: { code: 'unavailable' } })
    await blocker.query('rollback')
    blocker.release()
  })
})
