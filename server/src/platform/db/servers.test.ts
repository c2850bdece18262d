import { checkReady } from '@limber/contract/kit/meta.ts'
import { createSavedReply, listSavedReplies } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeLiveHub } from '../live/live.ts'
import { silentLog } from '../telemetry/log.ts'
import { makeProxy } from '../testing/testing.tcp-proxy.ts'
import { copyTemplate, eventually, startTestServer, type TestDatabase } from '../testing/testing.ts'
import { openDb } from './db.ts'
import { openPool } from './pool.ts'
import { findPrimary, primaryOf, primaryUrl, serversOf } from './servers.ts'

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

let database: TestDatabase
beforeAll(async () => {
  database = await copyTemplate()
  closers.push(() => database.drop())
})

/** Two servers of one connection URL, each behind a proxy. */
async function twoServers() {
  const target = new URL(database.url)
  target.searchParams.delete('host')
  target.hostname = '127.0.0.1'
  const proxies = [makeProxy(target), makeProxy(target)] as const
  const [a, b] = await Promise.all(proxies.map((proxy) => proxy.listen()))
  for (const proxy of proxies) closers.push(() => proxy.close())
  const { username, password, pathname } = target
  const url = `postgres://${username}:${password}@127.0.0.1:${a},127.0.0.1:${b}${pathname}?target_session_attrs=read-write`
  return { url, first: proxies[0], second: proxies[1], ports: [a, b] }
}

describe('a connection URL', () => {
  it('is split into its servers', () => {
    expect(serversOf('postgres://u:p%40@a:1,[::1]:2,c/limber?target_session_attrs=read-write&sslmode=require')).toEqual(
      [
        'postgres://u:p%40@a:1/limber?sslmode=require',
        'postgres://u:p%40@[::1]:2/limber?sslmode=require',
        'postgres://u:p%40@c/limber?sslmode=require',
      ],
    )
    expect(serversOf('postgres://u@a,b/limber?target_session_attrs=read-write')).toEqual([
      'postgres://u@a/limber',
      'postgres://u@b/limber',
    ])
    expect(serversOf('postgres://u@a/limber')).toEqual(['postgres://u@a/limber'])
  })
  it('leads to the server that accepts writes, or says why none does', async () => {
    const { url, first, second, ports } = await twoServers()
    first.cut()
    expect(new URL(await primaryUrl(url)).port).toBe(String(ports[1]))
    first.restore()
    const admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
    const name = new URL(database.url).pathname.slice(1)
    await admin.query(`alter database ${name} set default_transaction_read_only = on`)
    second.cut()
    await expect(findPrimary(serversOf(url))).rejects.toThrow(
      new RegExp(`No server of DATABASE_URL accepts writes: .*127.0.0.1:${ports[0]} is read-only`),
    )
    await admin.query('set default_transaction_read_only = off')
    await admin.query(`alter database ${name} reset default_transaction_read_only`)
    await admin.end()
  })
  it('never leads back to a server that was replaced', async () => {
    const { url } = await twoServers()
    await expect(findPrimary(serversOf(url), 99)).rejects.toThrow('was replaced by another server')
  })
})

describe('a pool with several servers', () => {
  it('leaves a server that no longer answers, and cuts the statements that wait for it', async () => {
    const { url, first, second } = await twoServers()
    second.cut()
    const pool = openPool(url, { size: 2 })
    closers.push(() => pool.end())
    await pool.query('select 1')
    first.freeze()
    second.restore()
    const began = performance.now()
    await expect(pool.query('select 1')).rejects.toThrow('another server has taken over')
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})

describe.concurrent('a pool with one server', () => {
  it('cuts a statement that the server neither answers nor cancels', async () => {
    const { url, first } = await twoServers()
    const pool = openPool(serversOf(url)[0] ?? '', { size: 1, statementTimeout: 100 })
    closers.push(() => pool.end())
    await pool.query('select 1')
    first.freeze()
    await expect(pool.query('select 1')).rejects.toThrow('silence of the database')
  })
  it.each(['15min', '0'])('lets a statement run that was given a timeout of %s', async (timeout) => {
    const { url } = await twoServers()
    const pool = openPool(serversOf(url)[0] ?? '', { size: 1, statementTimeout: 100 })
    closers.push(() => pool.end())
    const text = timeout === '0' ? 'set statement_timeout = 0' : `set local statement_timeout = '${timeout}'`
    const answer = openDb(pool)
      .transaction()
      .execute(async (tx) => {
        await sql.raw(text).execute(tx)
        return sql`select 1 as one, pg_sleep(7)`.execute(tx)
      })
    expect((await answer).rows).toMatchObject([{ one: 1 }])
  })
  it('does not wait longer after the transaction that asked for it', async () => {
    const { url, first } = await twoServers()
    const pool = openPool(serversOf(url)[0] ?? '', { size: 1, statementTimeout: 100 })
    closers.push(() => pool.end())
    await openDb(pool)
      .transaction()
      .execute((tx) => sql`set local statement_timeout = '15min'`.execute(tx))
    first.freeze()
    await expect(pool.query('select 1')).rejects.toThrow('silence of the database')
  })
})

describe('live updates with several servers', () => {
  it('leave a server that answers although another one has taken over', async () => {
    const { url } = await twoServers()
    let timeline = 1
    const hub = makeLiveHub(url, {}, silentLog, async () => ({ ...(await primaryOf(url)), timeline }))
    closers.push(() => hub.close())
    await hub.start()
    const topics: string[] = []
    hub.listen({ workerId: 1, permissions: new Set(), send: ({ topic }) => topics.push(topic), end: () => {} })
    timeline = 2
    // Whoever listens asks for everything, because messages in between are lost.
    await eventually(async () => topics.includes('*'), 15_000)
    expect(hub.status().isConnected).toBe(true)
  })
})

describe('a process with several servers', () => {
  it('answers and writes again after its server is gone, without a restart', async () => {
    const { url, first, second } = await twoServers()
    second.cut()
    const server = await startTestServer({ env: { DATABASE_URL: url }, withJobs: true })
    closers.unshift(() => server.stop())
    const owner = server.asOwner({ isSteppedUp: true })
    const save = (name: string) => owner.send(createSavedReply, { body: { name, content: 'Hello' } })
    expect((await save('before')).status).toBe(200)
    first.cut()
    expect((await save('during')).status).toBe(503)
    expect((await server.anonymous().send(checkReady)).status).toBe(503)
    second.restore()
    await eventually(async () => (await save('after')).status === 200)
    expect((await server.anonymous().send(checkReady)).status).toBe(200)
    expect((await owner.send(listSavedReplies)).status).toBe(200)
    await eventually(async () => server.running.services.live.status().isConnected)
  })
})
