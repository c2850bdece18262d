import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startPostgres } from './postgres.ts'
import { makeScratchHome } from './scratch.ts'

/** The path of a Unix socket must fit into a hundred bytes or so, its name included. */
const LONGEST_FOLDER = 80

/** A throwaway PostgreSQL; what killed runs left behind is cleared away first. */
export async function startTestPostgres(): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  const home = await makeScratchHome('limber-test-')
  // Through a Unix socket a statement costs a sixth less than through TCP. It lies where the database may write.
  const sockets = join(home, 'postgres/data')
  const hasSocket = Buffer.byteLength(sockets) <= LONGEST_FOLDER
  const settings: Record<string, string> = hasSocket ? { unix_socket_directories: '.' } : {}
  const postgres = await startPostgres({ home, log: () => {}, isThrowaway: true, settings })
  const admin = new URL(postgres.url)
  admin.pathname = '/postgres'
  if (hasSocket) admin.searchParams.set('host', sockets)
  return {
    adminUrl: admin.href,
    async stop() {
      await postgres.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
