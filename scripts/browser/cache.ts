import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/**
 * A directory that is filled once by `fill` and then reused by every run of this user.
 * Filled aside and renamed into place, so that parallel runs never see half of it.
 */
export async function cached(name: string, fill: (directory: string) => Promise<void>): Promise<string> {
  const home = await cacheHome()
  const target = join(home, name)
  if (await exists(target)) return target
  await sweep(home)
  const aside = await mkdtemp(join(home, `filling-${process.pid}-`))
  try {
    await fill(aside)
    await rename(aside, target)
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    if (!(await exists(target))) throw error
  }
  return target
}

/** Forgets a cached directory, so that the next call fills it again. */
export async function forget(name: string): Promise<void> {
  await rm(join(await cacheHome(), name), { recursive: true, force: true })
}

async function cacheHome(): Promise<string> {
  const ours = userInfo().uid
  const perUser = process.platform === 'darwin' ? join(homedir(), 'Library/Caches') : join(homedir(), '.cache')
  const places = [
    join(process.env.XDG_CACHE_HOME ?? perUser, 'limber-browser'),
    join(tmpdir(), `limber-browser-${ours}`),
  ]
  for (const place of places) {
    try {
      await mkdir(place, { recursive: true, mode: 0o700 })
      await rm(await mkdtemp(join(place, 'try-')), { recursive: true })
      // In a shared temporary directory another user could have laid a trap under this name.
      if (process.platform === 'win32' || (await stat(place)).uid === ours) return place
    } catch {
      // Not writable: the next place.
    }
  }
  throw new Error(`no directory to keep a browser in could be written (tried ${places.join(', ')})`)
}

async function sweep(home: string): Promise<void> {
  for (const entry of await readdir(home)) {
    const owner = /^filling-(\d+)-/.exec(entry)?.[1]
    if (owner && !isAlive(Number(owner))) await rm(join(home, entry), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
