import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readIfThere } from './files.ts'
import { startPostgres } from './postgres.ts'
import { processBirth } from './process.ts'

const PREFIX = 'limber-test-'
const OWNER = 'owner.json'

/** A throwaway PostgreSQL in the temporary directory; what killed runs left behind is cleared away first. */
export async function startTestPostgres(): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  await sweep()
  const home = await mkdtemp(join(tmpdir(), PREFIX))
  await writeFile(join(home, OWNER), JSON.stringify({ pid: process.pid, birth: await processBirth(process.pid) }))
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

async function sweep(): Promise<void> {
  for (const entry of await readdir(tmpdir())) {
    if (!entry.startsWith(PREFIX)) continue
    const home = join(tmpdir(), entry)
    try {
      if (await isAbandoned(home)) await clear(home)
    } catch {
      // Another run is clearing it, or it belongs to another user.
    }
  }
}

async function isAbandoned(home: string): Promise<boolean> {
  const { uid, mtimeMs } = await stat(home)
  if (uid !== process.getuid?.()) return false
  const text = await readIfThere(join(home, OWNER))
  // Made a moment ago by a run that has not written its name yet.
  if (!text) return performance.timeOrigin + performance.now() - mtimeMs > 60_000
  const owner = JSON.parse(text) as { pid: number; birth: string }
  return (await processBirth(owner.pid)) !== owner.birth
}

async function clear(home: string): Promise<void> {
  if (await readIfThere(join(home, 'postgres/data/postmaster.pid'))) {
    const left = await startPostgres({ home, log: () => {}, isThrowaway: true })
    await left.stop()
  }
  await rm(home, { recursive: true, force: true })
}
