import { connect, createServer, type Server, type Socket } from 'node:net'
import { checkSession } from '@limber/contract/access/session.ts'
import { checkReady } from '@limber/contract/kit/meta.ts'
import { listUsers } from '@limber/contract/support/customer.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyTemplate, startTestServer, type TestServer } from './testing.ts'

/** A line to the database that can be cut or made to hang, as a network does. */
function makeLine(target: URL) {
  const sockets = new Set<Socket>()
  let isUp = true
  const server: Server = createServer((socket) => {
    if (!isUp) return void socket.destroy()
    const far = connect(Number(target.port), target.hostname)
    for (const each of [socket, far]) {
      sockets.add(each)
      each.on('error', () => {})
      each.on('close', () => {
        socket.destroy()
        far.destroy()
      })
    }
    socket.pipe(far).pipe(socket)
  })
  return {
    listen: () =>
      new Promise<number>((done) =>
        server.listen(0, '127.0.0.1', () => done((server.address() as { port: number }).port)),
      ),
    cut: () => {
      isUp = false
      for (const socket of sockets) socket.destroy()
    },
    mend: () => {
      isUp = true
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

let server: TestServer
let line: ReturnType<typeof makeLine>
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await copyTemplate()
  drop = database.drop
  const url = new URL(database.url)
  line = makeLine(url)
  const through = new URL(url)
  // The line carries TCP alone.
  through.searchParams.delete('host')
  through.hostname = '127.0.0.1'
  through.port = String(await line.listen())
  server = await startTestServer({ env: { DATABASE_URL: through.href } })
})
afterAll(async () => {
  await server.stop()
  line.close()
  await drop()
})

describe('a database that is away', () => {
  it('gives 503 in words, never 500, and works again by itself', async () => {
    const caller = server.as('users.overview')
    expect((await caller.send(listUsers)).status).toBe(200)
    line.cut()
    for (let i = 0; i < 3; i++) {
      const reply = await caller.send(checkSession)
      expect(reply).toMatchObject({ status: 503, failure: { code: 'unavailable' } })
      expect(reply.headers.get('retry-after')).toBe('2')
    }
    expect((await server.anonymous().send(checkReady)).status).toBe(503)
    line.mend()
    expect((await caller.send(listUsers)).status).toBe(200)
    expect((await server.anonymous().send(checkReady)).status).toBe(200)
  })
  it('fails a transaction that it leaves between two statements, and nothing else', async () => {
    const between = server.db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx)
      line.cut()
      await new Promise((done) => setTimeout(done, 100))
      await sql`select 1`.execute(tx)
    })
    await expect(between).rejects.toThrow()
    line.mend()
    expect((await server.as('users.overview').send(listUsers)).status).toBe(200)
  })
  it('gives 503 when a statement takes too long', async () => {
    const caller = server.as('users.overview')
    await caller.worker()
    const blocker = await server.running.services.pool.connect()
    await blocker.query('begin; lock table customers in access exclusive mode')
    expect(await caller.send(listUsers)).toMatchObject({ status: 503, failure: { code: 'unavailable' } })
    await blocker.query('rollback')
    blocker.release()
  })
})
