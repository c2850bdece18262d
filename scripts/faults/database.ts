import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { grantWhile, type Lab } from './lab.ts'
import { BAD_MODES } from './line.ts'
import type { Kind } from './services.ts'

const ALL_OTHERS = `from pg_stat_activity where datname = 'limber' and backend_type = 'client backend' and pid <> pg_backend_pid()`

const kind = (fault: string, breakIt: (lab: Lab) => Promise<unknown> | unknown, atOnce = 3): Kind => ({
  fault,
  run: (lab, times) => grantWhile(lab, { fault, times, atOnce }, () => breakIt(lab)),
})

/** Holds something in a session of its own, for some time. */
async function hold({ database }: Lab, statement: string, ms: number) {
  const client = new pg.Client({ connectionString: database.url('limber').href })
  await client.connect()
  await client.query(`begin; ${statement}`)
  await sleep(ms)
  await client.query('rollback')
  await client.end()
}

/** Takes every connection that the server still has. */
async function takeAllConnections({ database, query }: Lab) {
  await query(`select pg_terminate_backend(pid) ${ALL_OTHERS}`)
  const taken: pg.Client[] = []
  for (;;) {
    const client = new pg.Client({ connectionString: database.url('limber').href })
    client.on('error', () => {})
    try {
      await client.connect()
      taken.push(client)
    } catch {
      break
    }
  }
  await sleep(2_000)
  await Promise.all(taken.map((client) => client.end()))
}

export const databaseFaults: Kind[] = [
  kind('connections to the database cut', async ({ proxy }) => {
    proxy.cut()
    await sleep(50)
    proxy.restore()
  }),
  kind('confirmation of a commit lost', ({ proxy }) => proxy.loseCommit(), 1),
  ...Object.entries(BAD_MODES).map(([mode, words]) =>
    kind(`line to the database ${words}`, async ({ lines }) => {
      await lines.database.behave(mode as keyof typeof BAD_MODES)
      await sleep(1_500)
      await lines.database.behave('well')
    }),
  ),
  kind('all sessions of the database ended', ({ query }) => query(`select pg_terminate_backend(pid) ${ALL_OTHERS}`)),
  kind('all statements canceled', ({ query }) => query(`select pg_cancel_backend(pid) ${ALL_OTHERS}`)),
  kind('the table locked for 7 s', (lab) => hold(lab, 'lock table customers in exclusive mode', 7_000)),
  kind('all connections of the database taken for 2 s', takeAllConnections),
  kind('database read-only for 2 s', async ({ database, query }) => {
    await database.query(`alter database limber set default_transaction_read_only = on`)
    await query(`select pg_terminate_backend(pid) ${ALL_OTHERS}`)
    await sleep(2_000)
    await database.query(`alter database limber reset default_transaction_read_only`)
  }),
  kind('a session of the database killed, and all others with it', async ({ query }) => {
    const [session] = await query<{ pid: number }>(`select pid ${ALL_OTHERS} limit 1`)
    if (session) process.kill(session.pid, 'SIGKILL')
  }),
  kind('database killed', async ({ database }) => {
    await database.crash()
    await database.restart()
  }),
  kind('database stopped at once, without a checkpoint', async ({ database }) => {
    await database.crash('SIGQUIT')
    await database.restart()
  }),
  kind('database stopped cleanly and started', async ({ database }) => {
    await database.stop()
    await database.restart()
  }),
  kind('database frozen for 3 s', async ({ database }) => {
    database.signal('SIGSTOP')
    await sleep(3_000)
    database.signal('SIGCONT')
  }),
]
