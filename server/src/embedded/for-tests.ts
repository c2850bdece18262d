import { rm } from 'node:fs/promises'
import { startPostgres } from './postgres.ts'
import { makeScratchHome } from './scratch.ts'

/** A throwaway PostgreSQL; what killed runs left behind is cleared away first. */
export async function startTestPostgres(): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  const home = await makeScratchHome('limber-test-')
  const postgres = await startPostgres({ home, log: () => {}, isThrowaway: true })
  const admin = new URL(postgres.url)
  admin.pathname = '/postgres'
  return {
    adminUrl: admin.href,
    async stop() {
      await postgres.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
