import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { USER } from './cluster.ts'
import { startPostgres } from './postgres.ts'
import { makeScratchHome } from './scratch.ts'

/** The path of a Unix socket is limited to about a hundred bytes, including its name. */
const MAX_FOLDER_LENGTH = 80

/** Starts a throwaway PostgreSQL with settings of one's own, after cleaning up after killed runs. */
export async function startTestPostgres(
  own: Record<string, string> = {},
): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  const home = await makeScratchHome('limber-test-')
  // Statements over a Unix socket are about 15% faster than over TCP. The socket is where the database may write.
  const sockets = join(home, 'postgres/data')
  const hasSocket = Buffer.byteLength(sockets) <= MAX_FOLDER_LENGTH
  const settings = hasSocket ? { ...own, unix_socket_directories: '.' } : own
  const postgres = await startPostgres({ home, log: () => {}, isThrowaway: true, settings })
  const admin = new URL(postgres.url)
  admin.pathname = '/postgres'
  if (hasSocket) admin.searchParams.set('host', sockets)
  await speedUpPassword(admin.href)
  return {
    adminUrl: admin.href,
    async stop() {
      await postgres.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Stores the same password with one hashing round instead of 4,096, because tests open thousands of connections. */
async function speedUpPassword(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set scram_iterations = 1')
  await client.query(`alter role ${USER} password '${new URL(url).password}'`)
  await client.end()
}
