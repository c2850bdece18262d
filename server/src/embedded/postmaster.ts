import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { USER } from './cluster.ts'
import { readIfThere } from './files.ts'
import { commandLine } from './process.ts'

export type PidFile = { pid: number; startedAt: number; port: number; isReady: boolean; text: string }

/** Reads postmaster.pid. It may be out of date. */
export async function readPidFile(data: string): Promise<PidFile | undefined> {
  const text = await readIfThere(join(data, 'postmaster.pid'))
  if (text === undefined) return undefined
  const lines = text.split('\n')
  const [pid, startedAt, port] = [Number(lines[0]), Number(lines[2]), Number(lines[3])]
  return { pid, startedAt, port, isReady: lines[7]?.trim() === 'ready', text }
}

/** Removes the file of a dead postmaster, unless a new one has replaced it. */
export async function removePidFile(data: string, seen: PidFile): Promise<void> {
  const now = await readPidFile(data)
  if (now?.text === seen.text) await rm(join(data, 'postmaster.pid'), { force: true })
}

export type Answer = 'ours' | 'busy' | 'other' | 'silent'

/**
 * Asks the server on the port whether it serves this data directory. Only 'ours' is certain: it accepted the password and
 * reported the directory and the start time of the pid file.
 */
export async function askPostmaster(data: string, file: PidFile, password: string): Promise<Answer> {
  const client = new pg.Client({
    ...{ host: '127.0.0.1', port: file.port, user: USER, password, database: 'postgres' },
    connectionTimeoutMillis: 5000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ directory: string; started: string }>(
      `select current_setting('data_directory') as directory,
              floor(extract(epoch from pg_postmaster_start_time()))::text as started`,
    )
    const isSame = rows[0] && (await realpath(rows[0].directory)) === (await realpath(data))
    // The file is written shortly after the start time is recorded.
    const isThisStart = Math.abs(Number(rows[0]?.started) - file.startedAt) <= 5
    return isSame && isThisStart ? 'ours' : 'other'
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ECONNREFUSED') return 'silent'
    // Starting, recovering or stopping; or out of connections.
    if (code === '57P03' || code === '53300') return 'busy'
    return 'other'
  } finally {
    await client.end().catch(() => {})
  }
}

/** True when the process was started for this data directory. The pid alone may belong to another program. */
export async function looksLikePostmaster(pid: number, data: string): Promise<boolean> {
  return (await commandLine(pid))?.includes(data) ?? false
}
