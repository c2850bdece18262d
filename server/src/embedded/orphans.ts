import { readdir, readlink } from 'node:fs/promises'
import { basename } from 'node:path'

/**
 * Backends that outlived a killed postmaster and keep its shared memory, busy with a long query.
 * Each is known by its program and by standing in the data directory. Linux only; elsewhere they end by themselves.
 */
export async function endOrphans(data: string): Promise<number> {
  if (process.platform !== 'linux') return 0
  let ended = 0
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const [standsIn, program] = await Promise.all([
      readlink(`/proc/${entry}/cwd`).catch(() => ''),
      readlink(`/proc/${entry}/exe`).catch(() => ''),
    ])
    if (standsIn !== data || basename(program) !== 'postgres') continue
    try {
      process.kill(Number(entry), 'SIGKILL')
      ended += 1
    } catch {
      // It has ended by itself.
    }
  }
  return ended
}
