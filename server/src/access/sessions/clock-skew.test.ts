import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { startBackup } from '@limber/contract/backups/backup.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND, shift, systemClock } from '#platform/clock.ts'
import { followDatabaseClock } from '#platform/db/database-time.ts'
import { openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { silentLog } from '#platform/telemetry/log.ts'
import { copyTemplate, startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const dated =
  (caller: TestCaller) => async (column: 'created_at' | 'last_seen_at' | 'stepped_up_at', ahead: number) => {
    const { sessionId } = await caller.worker()
    const at = shift(server.clock.now(), ahead)
    await server.db
      .updateTable('sessions')
      .set({ [column]: at })
      .where('id', '=', sessionId)
      .execute()
  }

describe('a session', () => {
  it.each(['created_at', 'last_seen_at'] as const)('with %s in the future is refused', async (column) => {
    const caller = server.as()
    await dated(caller)(column, 5 * SECOND)
    // The allowed clock difference between processes.
    expect((await caller.send(checkSession)).status).toBe(200)
    await dated(caller)(column, 2 * MINUTE)
    expect((await caller.send(checkSession)).status).toBe(401)
    server.clock.advance(2 * MINUTE)
    expect((await caller.send(checkSession)).status).toBe(200)
  })
})

describe('a passkey', () => {
  it('confirmed in the future does not count', async () => {
    const caller = server.asSteppedUp('backups.initiate')
    await dated(caller)('stepped_up_at', HOUR)
    expect(await caller.send(startBackup, { body: {} })).toMatchObject({
      status: 403,
      failure: { code: 'step_up_required' },
    })
    await dated(caller)('stepped_up_at', 5 * SECOND)
    // No passkey is set up, but the step-up check passes.
    expect(await caller.send(startBackup, { body: {} })).toMatchObject({ status: 409, failure: { code: 'not_set_up' } })
  })
})

describe('the clock of a process', () => {
  it("follows the database clock, not the machine's", async () => {
    const database = await copyTemplate()
    const name = new URL(database.url).pathname.slice(1)
    // A database whose clock is an hour ahead of this machine's.
    const setUp = openDb(openPool(database.url, { size: 1 }))
    await sql`create function public.clock_timestamp() returns timestamptz language sql
      return pg_catalog.clock_timestamp() + interval '1 hour'`.execute(setUp)
    await sql.raw(`alter database ${name} set search_path = public, pg_catalog`).execute(setUp)
    await setUp.destroy()
    const db = openDb(openPool(database.url, { size: 1 }))
    const clock = followDatabaseClock(db, silentLog)
    await clock.start()
    const apart = clock.now().getTime() - systemClock.now().getTime()
    expect(Math.abs(apart - HOUR)).toBeLessThan(MINUTE)
    clock.close()
    await db.destroy()
    await database.drop()
  })
})
