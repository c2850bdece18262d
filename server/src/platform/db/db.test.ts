import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { copyTemplate } from '../testing/testing.ts'
import { openDb, plannedEachTime } from './db.ts'
import { openPool } from './pool.ts'

const database = await copyTemplate()
afterAll(() => database.drop())

it('sets timeouts for statements, locks and idle transactions, uses UTC, and compiles no statements', async () => {
  const pool = openPool(database.url, { size: 1 })
  const { rows } = await pool.query(`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone,
      (select setting || ' by ' || source from pg_settings where name = 'jit') as jit`)
  await pool.end()
  expect(rows).toEqual([{ statement: '15s', lock: '5s', idle: '30s', zone: 'UTC', jit: 'off by client' }])
})

it('prepares statements, except those that are planned each time', async () => {
  // A module of its own: other tests may have reached the limit of names.
  const own = './pool.ts?own'
  const { openPool } = (await import(own)) as typeof import('./pool.ts')
  const pool = openPool(database.url, { size: 1 })
  const db = openDb(pool)
  await sql`select ${1}::int as prepared`.execute(db)
  await sql`${plannedEachTime} select ${1}::int as planned`.execute(db)
  const { rows } = await pool.query('select statement from pg_prepared_statements')
  await pool.end()
  expect(rows).toEqual([{ statement: 'select $1::int as prepared' }])
})
