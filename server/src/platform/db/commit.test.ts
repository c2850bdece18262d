// @module-tag slow
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { startTestPostgres } from '#embedded/for-tests.ts'
import { makeProxy } from '../testing/testing.tcp-proxy.ts'
import { type Db, inTransaction, isRolledBack, isUnavailable, openDb, sqlState } from './db.ts'
import { openPool } from './pool.ts'

// Commits wait for a standby here, once one is named. Tests share no such server: their commits would wait, too.
const postgres = await startTestPostgres({ synchronous_commit: 'on', wal_level: 'replica', max_wal_senders: '4' })
const admin = new pg.Client({ connectionString: postgres.adminUrl })
await admin.connect()
await admin.query('create table done (name text)')
const target = new URL(postgres.adminUrl)
target.searchParams.delete('host')
const proxy = makeProxy(new URL(target))
target.port = String(await proxy.listen())
const pool = openPool(target.href, { size: 2 })
const db = openDb(pool)
afterAll(async () => {
  await pool.end()
  proxy.close()
  await admin.end()
  await postgres.stop()
})

let runs = 0
const note = (name: string, between: (tx: Db) => unknown = () => {}) => {
  runs = 0
  return inTransaction(db, async (tx: Db) => {
    runs += 1
    await sql`insert into done (name) values (${name})`.execute(tx)
    await between(tx)
  }).then(
    () => undefined,
    (error: unknown) => error,
  )
}
const timesDone = async (name: string) => (await admin.query('select from done where name = $1', [name])).rowCount

it('a commit whose answer is lost is not run again: it may have happened', async () => {
  proxy.loseCommit()
  const error = await note('answer lost')
  expect(isUnavailable(error)).toBe(true)
  // The caller must not clean up as after a rollback either.
  expect(isRolledBack(error)).toBe(false)
  expect(runs).toBe(1)
  expect(await timesDone('answer lost')).toBe(1)
})

it('a transaction whose connection breaks before the commit is run again', async () => {
  let isCut = false
  const error = await note('cut before', async (tx) => {
    if (isCut) return
    isCut = true
    proxy.cut()
    proxy.restore()
    await sql`select 1`.execute(tx)
  })
  expect(error).toBeUndefined()
  expect(runs).toBe(2)
  expect(await timesDone('cut before')).toBe(1)
})

it('a commit that no standby confirmed is not reported as done', async () => {
  await admin.query(`alter system set synchronous_standby_names = 'nobody'`)
  await admin.query('select pg_reload_conf()')
  await sleep(200)
  const noting = note('unconfirmed')
  let canceled = 0
  for (let i = 0; i < 100 && canceled === 0; i++) {
    await sleep(50)
    const { rowCount } = await admin.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and pid <> pg_backend_pid()`,
    )
    canceled = rowCount ?? 0
  }
  expect(canceled).toBe(1)
  const error = await noting
  expect(sqlState(error)).toBe('40003')
  expect(isUnavailable(error)).toBe(true)
  expect(runs).toBe(1)
  // It is there, but would be lost with this server.
  expect(await timesDone('unconfirmed')).toBe(1)
})
