import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '../db/db.ts'
import { startTestServer, type TestServer } from '../testing/testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

it('reads the number and time of a change once for a statement', async () => {
  const insert = (n: number) => sql`
    insert into customers (first_name, last_name, email, joined_at)
    select 'Ada', 'Okafor', ${n} || '-' || i || '@example.com', now() from generate_series(1, ${n}) i`
  const callsOf = (n: number) =>
    inTransaction(server.db, async (tx) => {
      await sql`set local track_functions = 'all'`.execute(tx)
      const count = async () => {
        const { rows } = await sql<{ calls: number }>`
          select calls::int from pg_stat_xact_user_functions where funcname = 'change_mark'`.execute(tx)
        return rows[0]?.calls ?? 0
      }
      const before = await count()
      await insert(n).execute(tx)
      await sql`update customers set points = points + 1, total_points_earned = total_points_earned + 1`.execute(tx)
      return (await count()) - before
    })
  const few = await callsOf(1)
  expect(few).toBeGreaterThan(0)
  expect(await callsOf(100)).toBe(few)
  const { rows } = await sql<{ changes: number; numbers: number; times: number }>`
    select count(*)::int as changes, count(distinct seq)::int as numbers, count(distinct changed_at)::int as times
    from record_changes where resource = 'customers'`.execute(server.db)
  // The last transaction changed all of them.
  expect(rows[0]).toEqual({ changes: 101, numbers: 1, times: 1 })
})
