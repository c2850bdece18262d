import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'

const TICK_MS = 10

function read(pid: number): { parent: number; ms: number; ended: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const at = (index: number) => Number(fields[index])
    return { parent: at(1), ms: (at(11) + at(12)) * TICK_MS, ended: (at(13) + at(14)) * TICK_MS }
  } catch {
    return undefined
  }
}

/** CPU time of a process in milliseconds. Independent of what else runs on the machine. */
export const cpuOf = (pid: number) => read(pid)?.ms ?? 0

/** CPU time of all children of a process, including ended ones. For PostgreSQL, pass the postmaster. */
export function cpuOfChildren(pid: number): number {
  let sum = read(pid)?.ended ?? 0
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? read(Number(name)) : undefined
    if (found?.parent === pid) sum += found.ms
  }
  return sum
}

/** The parent of all PostgreSQL processes. */
export async function findPostmaster(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  return Number(readFileSync(join(rows[0]?.data_directory ?? '', 'postmaster.pid'), 'utf8').split('\n')[0])
}
