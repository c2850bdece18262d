import { mkdtemp, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readIfThere } from './files.ts'
import { startPostgres } from './postgres.ts'
import { processBirth } from './process.ts'

const OWNER = 'owner.json'
const MEMORY = '/dev/shm'
const ROOM = 4e9
const SPARE = 8e9

/** In memory, where there is plenty of it: tests copy whole databases, and the disk is what they would wait for. */
async function chooseFolder(): Promise<string> {
  // Somebody has chosen already.
  if (process.env.TMPDIR) return tmpdir()
  const left = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return left > ROOM && freemem() > SPARE ? MEMORY : tmpdir()
}

/** A home of the embedded database that is thrown away; what killed runs left behind is cleared away first. */
export async function makeScratchHome(prefix: `limber-${string}-`): Promise<string> {
  await sweep(prefix)
  const home = await mkdtemp(join(await chooseFolder(), prefix))
  await writeFile(join(home, OWNER), JSON.stringify({ pid: process.pid, birth: await processBirth(process.pid) }))
  return home
}

async function sweep(prefix: string): Promise<void> {
  const found = await Promise.all(
    [tmpdir(), MEMORY].map(async (folder) => (await readdir(folder).catch(() => [])).map((name) => join(folder, name))),
  )
  for (const home of found.flat().filter((path) => basename(path).startsWith(prefix))) {
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
