import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/**
 * A directory that `fill` fills once and every later run of this user reuses.
 * It is filled under a temporary name and then renamed, so that parallel runs never see a partial one.
 */
export async function cached(name: string, fill: (directory: string) => Promise<void>): Promise<string> {
  const home = await cacheHome()
  const target = join(home, name)
  if (await exists(target)) return target
  await removeAbandoned(home)
  const temporary = await mkdtemp(join(home, `filling-${process.pid}-`))
  try {
    await fill(temporary)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    if (!(await exists(target))) throw error
  }
  return target
}

/** Removes a cached directory, so that the next call fills it again. */
export async function discard(name: string): Promise<void> {
  await rm(join(await cacheHome(), name), { recursive: true, force: true })
}

async function cacheHome(): Promise<string> {
  const ours = userInfo().uid
  const perUser = process.platform === 'darwin' ? join(homedir(), 'Library/Caches') : join(homedir(), '.cache')
  const candidates = [
    join(process.env.XDG_CACHE_HOME ?? perUser, 'limber-browser'),
    join(tmpdir(), `limber-browser-${ours}`),
  ]
  for (const folder of candidates) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await rm(await mkdtemp(join(folder, 'try-')), { recursive: true })
      // In a shared temporary directory, another user could have created this name first.
      if (process.platform === 'win32' || (await stat(folder)).uid === ours) return folder
    } catch {
      // Not writable. Try the next one.
    }
  }
  throw new Error(`no writable cache directory for the browser (tried ${candidates.join(', ')})`)
}

async function removeAbandoned(home: string): Promise<void> {
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
