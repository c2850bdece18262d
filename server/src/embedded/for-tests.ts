import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { USER } from './cluster.ts'
import { startPostgres } from './postgres.ts'
import { makeScratchHome } from './scratch.ts'

/** The path of a Unix socket must fit into a hundred bytes or so, its name included. */
const MAX_FOLDER_LENGTH = 80

/** A throwaway PostgreSQL; what killed runs left behind is cleared away first. */
export async function startTestPostgres(): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  const home = await makeScratchHome('limber-test-')
  // Through a Unix socket a statement costs a sixth less than through TCP. It lies where the database may write.
  const sockets = join(home, 'postgres/data')
  const hasSocket = Buffer.byteLength(sockets) <= MAX_FOLDER_LENGTH
  const settings: Record<string, string> = hasSocket ? { unix_socket_directories: '.' } : {}
  const postgres = await startPostgres({ home, log: () => {}, isThrowaway: true, settings })
  const admin = new URL(postgres.url)
  admin.pathname = '/postgres'
  if (hasSocket) admin.searchParams.set('host', sockets)
  await easePassword(admin.href)
  return {
    adminUrl: admin.href,
    async stop() {
      await postgres.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** The password is the same but costs one round of hashing instead of 4,096 on each of thousands of connections. */
async function easePassword(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set scram_iterations = 1')
  await client.query(`alter role ${USER} password '${new URL(url).password}'`)
  await client.end()
}
