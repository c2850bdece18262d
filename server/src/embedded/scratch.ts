import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { readIfThere } from './files.ts'
import { startPostgres } from './postgres.ts'
import { processBirth } from './process.ts'

const OWNER = 'owner.json'
const MEMORY = '/dev/shm'
const MIN_FREE_SPACE = 4e9
const MIN_FREE_MEMORY = 8e9

/** Uses memory if there is enough: tests copy whole databases, and the disk would be the bottleneck. */
async function chooseFolder(): Promise<string> {
  // Set by the user.
  if (process.env.TMPDIR) return tmpdir()
  const left = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return left > MIN_FREE_SPACE && freemem() > MIN_FREE_MEMORY ? MEMORY : tmpdir()
}

/** Creates a throwaway home, after cleaning up after killed runs. */
export async function makeScratchHome(prefix: `limber-${string}-`): Promise<string> {
  await sweep(prefix)
  const home = await mkdtemp(join(await chooseFolder(), prefix))
  await writeFile(join(home, OWNER), JSON.stringify({ pid: process.pid, birth: await processBirth(process.pid) }))
  return home
}

/** Copies the content of a folder with a tenth of the work of Node's `cp`, and keeps the modes, unlike `cpSync`. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await promisify(execFile)('cp', ['-Rp', `${from}/.`, to])
}

async function sweep(prefix: string): Promise<void> {
  const found = await Promise.all(
    [tmpdir(), MEMORY].map(async (folder) => (await readdir(folder).catch(() => [])).map((name) => join(folder, name))),
  )
  for (const home of found.flat().filter((path) => basename(path).startsWith(prefix))) {
    try {
      if (await isAbandoned(home)) await clear(home)
    } catch {
      // Another run is removing it, or it belongs to another user.
    }
  }
}

async function isAbandoned(home: string): Promise<boolean> {
  const { uid, mtimeMs } = await stat(home)
  if (uid !== process.getuid?.()) return false
  const text = await readIfThere(join(home, OWNER))
  // A new run may not have written its owner file yet.
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
