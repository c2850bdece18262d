// @module-tag slow
import { defineCall } from '@limber/contract/kit/call.ts'
import { checkReady } from '@limber/contract/kit/meta.ts'
import { createSavedReply, listSavedReplies } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { metaRoutes } from '../http/meta.routes.ts'
import { serve } from '../http/routes.ts'
import { eventually, startTestServer, type TestCaller, type TestServer } from '../testing/testing.ts'
import { isRolledBack } from './db.ts'

let server: TestServer
let name: string
beforeAll(async () => {
  server = await startTestServer()
  name = new URL(server.running.services.config.databaseUrl).pathname.slice(1)
})
afterAll(() => server.stop())

/** Runs statements as the database operator, outside the product. */
async function administer(...statements: string[]) {
  const client = new pg.Client({ connectionString: process.env.LIMBER_TEST_DATABASE })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
const disconnectAll = () => `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`

/** The limit of the pool's statements. The check of readiness must answer earlier. */
const LOCK_TIMEOUT = 5_000
let serial = 0
const save = (owner: TestCaller) =>
  owner.send(createSavedReply, { body: { name: `Reply ${++serial}`, content: 'Hello' } })
const saveMany = async (owner: TestCaller) => Promise.all(Array.from({ length: 8 }, () => save(owner)))
const ready = () => server.anonymous().send(checkReady)

describe('a database that turns read-only', () => {
  it('causes 503, is reported by /readyz, and recovers without a restart', async () => {
    const owner = server.asOwner({ isSteppedUp: true })
    // Several connections, so that more than one is affected.
    expect((await saveMany(owner)).map(({ status }) => status)).toEqual(Array(8).fill(200))
    await administer(`alter database ${name} set default_transaction_read_only = on`, disconnectAll())
    await eventually(async () => (await ready()).status === 503)
    expect((await ready()).failure).toMatchObject({ code: 'read_only', error: 'The database is read-only.' })
    for (const reply of await saveMany(owner)) {
      expect(reply).toMatchObject({ status: 503, failure: { code: 'unavailable' } })
      expect(reply.headers.get('retry-after')).toBe('2')
    }
    // Reads still work.
    expect((await owner.send(listSavedReplies)).status).toBe(200)

    // Existing connections to the read-only server stay read-only.
    await administer(`alter database ${name} reset default_transaction_read_only`)
    expect((await saveMany(owner)).map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect((await ready()).status).toBe(200)
  })
})

describe('readiness', () => {
  it('answers before its statement times out when the database hangs', async () => {
    const client = new pg.Client({ connectionString: server.running.services.config.databaseUrl })
    await client.connect()
    await client.query('begin; lock table migrations in access exclusive mode')
    const began = performance.now()
    const replies = await Promise.all([ready(), ready(), ready()])
    expect(performance.now() - began).toBeLessThan(LOCK_TIMEOUT)
    expect(replies.map(({ failure }) => failure.code)).toEqual(Array(3).fill('not_ready'))
    await client.query('rollback')
    await client.end()
    await eventually(async () => (await ready()).status === 200)
  })
})

const fail = defineCall({
  method: 'POST',
  path: '/api/test/fail/:state',
  summary: 'Fails with a database error',
  permission: 'signed-in',
  params: z.strictObject({ state: z.string().regex(/^[0-9A-Z]{5}$/) }),
  reply: z.object({}),
})

describe('a database error', () => {
  let own: TestServer
  beforeAll(async () => {
    const route = serve(fail, async ({ params: { state }, db }) => {
      await sql`${sql.raw(`do $$ begin raise exception 'no' using errcode = '${state}'; end $$`)}`.execute(db)
      return {}
    })
    const noSessions = { find: async () => undefined, touch: async () => {} }
    const meta = metaRoutes([], noSessions).filter(({ call }) => call === checkReady)
    own = await startTestServer({ routes: [route, ...meta] })
  })
  afterAll(() => own.stop())
  it.each([
    ['25006', 'read-only'],
    ['25P03', 'a transaction was idle for too long'],
    ['25P04', 'a transaction took too long'],
    ['08006', 'the connection failed'],
    ['40003', 'the completion of a statement is unknown'],
    ['53100', 'the disk is full'],
    ['53200', 'no memory'],
    ['53300', 'too many connections'],
    ['55P03', 'a lock was not available'],
    ['57014', 'a statement took too long'],
    ['57P01', 'shut down'],
    ['57P02', 'crashed'],
    ['57P03', 'starting up'],
    ['58030', 'input or output failed'],
  ])('%s (%s) causes 503 with Retry-After', async (state) => {
    const reply = await own.as().send(fail, { params: { state } })
    expect(reply).toMatchObject({ status: 503, failure: { code: 'unavailable' } })
    expect(reply.headers.get('retry-after')).toBe('2')
  })
  it.each(['42P01', 'XX000', 'XX001', '55000'])('%s is a defect', async (state) => {
    expect((await own.as().send(fail, { params: { state } })).status).toBe(500)
  })
  it('for a full disk is reported by /readyz until writes succeed again', async () => {
    await own.as().send(fail, { params: { state: '53100' } })
    expect(await own.anonymous().send(checkReady)).toMatchObject({ status: 503, failure: { code: 'disk_full' } })
    await eventually(async () => (await own.anonymous().send(checkReady)).status === 200)
  })
})

describe('a connection that the server refuses', () => {
  it('causes 503, not 500', async () => {
    const owner = server.asOwner({ isSteppedUp: true })
    await eventually(() => owner.worker().catch(() => undefined))
    await administer(`alter database ${name} allow_connections false`, disconnectAll())
    expect(await save(owner)).toMatchObject({ status: 503, failure: { code: 'unavailable' } })
    expect((await ready()).status).toBe(503)
    await administer(`alter database ${name} allow_connections true`)
    await eventually(async () => (await ready()).status === 200)
  })
})

it('tells confirmed rollbacks from transactions that may be committed', () => {
  const errorWith = (code: string) => Object.assign(new Error('no'), { code })
  expect(['25006', '53100', '23505', '57014'].map((code) => isRolledBack(errorWith(code)))).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(['57P01', '08006', '40003', 'ECONNRESET'].map((code) => isRolledBack(errorWith(code)))).toEqual(
    Array(4).fill(false),
  )
})
