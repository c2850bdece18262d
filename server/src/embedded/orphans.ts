import { readdir, readlink } from 'node:fs/promises'
import { basename } from 'node:path'

/**
 * Kills backends that outlived a killed postmaster and block its shared memory with a long query. They are recognized by
 * their program and by their working directory. Linux only; elsewhere they exit on their own.
 */
export async function endOrphans(data: string): Promise<number> {
  if (process.platform !== 'linux') return 0
  let ended = 0
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const [cwd, program] = await Promise.all([
      readlink(`/proc/${entry}/cwd`).catch(() => ''),
      readlink(`/proc/${entry}/exe`).catch(() => ''),
    ])
    if (cwd !== data || basename(program) !== 'postgres') continue
    try {
      process.kill(Number(entry), 'SIGKILL')
      ended += 1
    } catch {
      // It has already exited.
    }
  }
  return ended
}
