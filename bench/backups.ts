import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import type { Result } from './result.ts'
import { memoryOf, type Served, serveOurs, signInWorker, withDatabase } from './served.ts'

const PORT = 3808
const SMALL = 25_000
const LARGE = 500_000
/** Allowed growth from the small company to one twenty times its size. */
const MORE_MEGABYTES = 60
const OTHERS_P99 = 200
const WITHIN = 600_000

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0

/** Notes of about 300 bytes that hardly compress. */
const addNotes = (data: pg.Client, from: number, to: number) =>
  data.query(
    `insert into customer_notes (customer_id, worker_id, note, created_at)
     select 1, 1, (select string_agg(md5((n * 8 + k)::text), '') from generate_series(1, 8) k), now()
     from generate_series($1::int, $2::int) n`,
    [from, to],
  )

interface Watched {
  megabytes: number
  seconds: number
  size: number
  waits: number[]
}

/** Creates and verifies a backup, and returns the peak memory of the server. */
async function watchBackup(server: Served): Promise<Watched> {
  const startedAt = performance.now()
  const { status, json } = await server.call('/api/backups', {})
  if (status !== 200) throw new Error(`The backup returned ${status}: ${JSON.stringify(json)}`)
  const waits: number[] = []
  let megabytes = memoryOf(server)
  while (performance.now() - startedAt < WITHIN) {
    const { json: backup, ms } = await server.call(`/api/backups/${json.id}`)
    waits.push(ms)
    megabytes = Math.max(megabytes, memoryOf(server))
    if (backup.state === 'verified')
      return { megabytes, seconds: (performance.now() - startedAt) / 1000, size: Number(backup.size) / 1e6, waits }
    if (backup.state === 'failed' || backup.state === 'unverified')
      throw new Error(`The backup failed: ${backup.error}`)
    await new Promise((done) => setTimeout(done, 25))
  }
  throw new Error('The backup did not finish')
}

/** Checks that backups are streamed: memory does not grow with the company, and other calls stay fast. */
export const benchBackups = () =>
  withDatabase('backups', async (url, data): Promise<Result[]> => {
    const folder = await mkdtemp(join(tmpdir(), 'limber-bench-backups-'))
    const token = await signInWorker(data, '{initiate_backups}')
    await data.query(
      "insert into customers (first_name, last_name, email, joined_at) values ('A', 'B', 'a@example.com', now())",
    )
    await addNotes(data, 1, SMALL)
    const server = await serveOurs(PORT, url, token, {
      BACKUP_KEY: 'a key of backups for the bench 0123456789 abcdefgh',
      BACKUP_STORAGE: folder,
    })
    try {
      // The first one warms up compiled code and does not count.
      await watchBackup(server)
      const small = await watchBackup(server)
      await addNotes(data, SMALL + 1, LARGE)
      const large = await watchBackup(server)
      const more = large.megabytes - small.megabytes
      const p99 = at(large.waits, 0.99)
      return [
        {
          name: `memory of a backup, ${formatInteger(SMALL)} to ${formatInteger(LARGE)} notes`,
          ratio: more / MORE_MEGABYTES,
          budget: 1,
          figure: `${small.megabytes.toFixed(0)} MB to ${large.megabytes.toFixed(0)} MB (files of ${small.size.toFixed(0)} MB and ${large.size.toFixed(0)} MB, ${large.seconds.toFixed(0)} s including the restore)`,
        },
        {
          name: 'other calls during a backup, p99',
          ratio: p99 / OTHERS_P99,
          budget: 1,
          figure: `${p99.toFixed(0)} ms of ${OTHERS_P99} ms over ${large.waits.length} calls`,
        },
      ]
    } finally {
      server.child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    }
  })
