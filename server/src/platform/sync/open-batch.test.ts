import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Db, openDb } from '../db/db.ts'
import { openPool } from '../db/pool.ts'
import { copyTemplate, type TestDatabase } from '../testing/testing.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await copyTemplate()
  // One connection, so that it keeps its plans.
  db = openDb(openPool(database.url, { size: 1 }))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

it('does not read whole tables after they have grown', async () => {
  const open = () =>
    sql`select * from open_batch('app', 'customers', array['id x'], array['c-1', 'c-2'], 'customers', 'email',
      array['c-1@example.com'])`.execute(db)
  await sql`analyze external_refs, customers`.execute(db)
  // Enough calls for PostgreSQL to settle on a plan.
  for (let call = 0; call < 10; call++) await open()
  await sql`insert into external_refs (source, resource, external_id, record_id, created_at)
    select 'app', 'customers', 'c-' || n, n, now() from generate_series(1, 20000) n`.execute(db)
  await sql`insert into customers (first_name, last_name, email, joined_at)
    select 'Ada', 'Okafor', 'c-' || n || '@example.com', now() from generate_series(1, 20000) n`.execute(db)
  const rowsScanned = async () => {
    const { rows } = await sql<{ rows: number }>`
      select sum(seq_tup_read)::int as rows from pg_stat_xact_user_tables where relname in ('external_refs', 'customers')`.execute(
      db,
    )
    return rows[0]?.rows
  }
  await sql`begin`.execute(db)
  const before = await rowsScanned()
  await open()
  expect(await rowsScanned()).toBe(before)
  await sql`commit`.execute(db)
})
