import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '#embedded/port.ts'

const PROGRAM = '/usr/sbin/pgbouncer'

/** Starts PgBouncer in transaction mode before the test databases; the whole server suite can run through it. */
export async function startPooler(adminUrl: string): Promise<{ port: number; stop(): Promise<void> }> {
  if (!existsSync(PROGRAM)) throw new Error('PgBouncer is not installed. On Debian: apt-get install pgbouncer')
  const { username, password, port: database } = new URL(adminUrl)
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  // What a role needs in transaction mode; see `checkPooler`.
  for (const setting of [
    `timezone = 'UTC'`,
    `statement_timeout = '15s'`,
    `lock_timeout = '5s'`,
    `idle_in_transaction_session_timeout = '30s'`,
    `jit = 'off'`,
  ])
    await admin.query(`alter role ${username} set ${setting}`)
  await admin.end()
  const folder = await mkdtemp(join(tmpdir(), 'limber-pooler-'))
  const port = await freePort()
  const settings = join(folder, 'pgbouncer.ini')
  await chmod(folder, 0o755)
  await writeFile(
    settings,
    `[databases]
* = host=127.0.0.1 port=${database} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = 20
server_idle_timeout = 5
`,
  )
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn(PROGRAM, ['-q', settings], { stdio: ['ignore', 'ignore', 'inherit'], ...account })
  return {
    port,
    async stop() {
      child.kill('SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
