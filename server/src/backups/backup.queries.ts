import { sql } from 'kysely'
import { HOUR, MINUTE } from '#platform/clock.ts'
import type { Db, Tables } from '#platform/db/db.ts'
import { alive, isLost } from '#platform/jobs/lease.ts'
import type { ArchiveSummary } from './archive/archive.ts'

export interface Progress {
  stage: 'files' | 'copying' | 'checking'
  /** Tables, or files in the `files` stage. */
  done: number
  total: number
  rows: number
  /** An estimate. 0 when unknown. */
  rowsExpected: number
}

declare module '#platform/db/column-types.ts' {
  interface JsonColumns {
    'backups.progress': Progress
    'backups.summary': ArchiveSummary
  }
}

type BackupKind = Tables['backups']['kind']

const IN_PROGRESS = ['waiting', 'copying', 'checking'] as const
// Without a heartbeat for this long, the process was lost.
const LOST_AFTER = 2 * MINUTE
const MAX_WAIT = HOUR

const COLUMNS = [
  'b.id',
  'b.kind',
  'b.state',
  'w.name as worker_name',
  'b.created_at',
  'b.started_at',
  'b.taken_at',
  'b.ended_at',
  'b.tries',
  'b.file',
  'b.size',
  'b.key_id',
  'b.tables',
  'b.rows',
  'b.files',
  'b.progress',
  'b.verified_at',
  'b.error',
] as const

const withWorker = (db: Db) => db.selectFrom('backups as b').leftJoin('workers as w', 'w.id', 'b.worker_id')

export const findBackups = (db: Db, limit: number, offset: number) =>
  withWorker(db)
    .select(COLUMNS)
    .orderBy('b.created_at', 'desc')
    .orderBy('b.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
export type BackupRow = Awaited<ReturnType<typeof findBackups>>[number]

export const findBackup = (db: Db, id: number): Promise<(BackupRow & { summary: ArchiveSummary | null }) | undefined> =>
  withWorker(db)
    .select([...COLUMNS, 'b.summary'])
    .where('b.id', '=', id)
    .executeTakeFirst()

export const findInProgress = (db: Db): Promise<BackupRow | undefined> =>
  withWorker(db).select(COLUMNS).where('b.state', 'in', IN_PROGRESS).executeTakeFirst()

/** Closes backups whose process was lost, so that they do not block new ones. */
export async function closeLost(db: Db, now: Date) {
  await db
    .updateTable('backups')
    .set((row) => ({
      state: row
        .case()
        .when('file', 'is', null)
        .then('failed' as const)
        .else('unverified' as const)
        .end(),
      ended_at: now,
      progress: null,
      error: 'The process working on it was lost.',
    }))
    .where((row) =>
      row.or([
        row('state', 'in', ['copying', 'checking']).and(isLost(LOST_AFTER)),
        row('state', '=', 'waiting').and(isLost(MAX_WAIT)),
      ]),
    )
    .execute()
}

const LIST_LOCK = 7_214_037

/** Serializes requests, so the second of two sees the backup of the first. Closes lost backups first. */
async function lockList(db: Db, now: Date): Promise<{ isFree: boolean }> {
  await sql`select pg_advisory_xact_lock(${LIST_LOCK})`.execute(db)
  await closeLost(db, now)
  return { isFree: (await findInProgress(db)) === undefined }
}

/** Returns nothing when another backup is in progress. */
export async function insertBackup(
  db: Db,
  { kind, workerId, now }: { kind: BackupKind; workerId?: number; now: Date },
): Promise<number | undefined> {
  if (!(await lockList(db, now)).isFree) return undefined
  const row = await db
    .insertInto('backups')
    .values({ kind, worker_id: workerId ?? null, created_at: now, ...alive })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Queues a backup for verification. Returns false when another is in progress. */
export async function requestVerification(db: Db, id: number, now: Date): Promise<boolean> {
  if (!(await lockList(db, now)).isFree) return false
  await db
    .updateTable('backups')
    .set({ state: 'waiting', ...alive, started_at: null, ended_at: null, tries: 0, error: null })
    .where('id', '=', id)
    .execute()
  return true
}

/** Starts or resumes the work. Returns nothing when it is already finished. */
export const startWork = (db: Db, id: number, now: Date) =>
  db
    .updateTable('backups')
    .set((row) => ({
      state: row
        .case()
        .when('file', 'is', null)
        .then('copying' as const)
        .else('checking' as const)
        .end(),
      started_at: row.fn.coalesce('started_at', row.val(now)),
      ...alive,
      tries: row('tries', '+', 1),
      progress: null,
    }))
    .where('id', '=', id)
    .where('state', 'in', IN_PROGRESS)
    .returning(['file', 'tries', 'tables'])
    .executeTakeFirst()

/** Renews the lease and stores the progress. */
export async function renewLease(db: Db, id: number, progress: Progress | undefined) {
  await db
    .updateTable('backups')
    .set({ ...alive, ...(progress && { progress: JSON.stringify(progress) }) })
    .where('id', '=', id)
    .where('state', 'in', IN_PROGRESS)
    .execute()
}

export interface Written {
  file: string
  size: number
  keyId: string
  takenAt: Date
  summary: ArchiveSummary
}

/** Records the complete file. Verification comes next. */
export async function recordWritten(db: Db, id: number, { file, size, keyId, takenAt, summary }: Written) {
  const rows = summary.tables.reduce((sum, table) => sum + table.rows, 0)
  await db
    .updateTable('backups')
    .set({
      state: 'checking',
      file,
      size,
      key_id: keyId,
      taken_at: takenAt,
      tables: summary.tables.length,
      rows,
      files: summary.files.length,
      summary: JSON.stringify(summary),
      progress: null,
      ...alive,
    })
    .where('id', '=', id)
    .execute()
}

type Outcome =
  | { state: 'verified'; summary: ArchiveSummary; keyId: string }
  /** `isDamaged`: verification found a defect, which cancels an earlier successful one. */
  | { state: 'unverified'; error: string; isDamaged: boolean }
  | { state: 'failed'; error: string }

export async function finishWork(db: Db, id: number, outcome: Outcome, now: Date) {
  const change = { state: outcome.state, ended_at: now, progress: null }
  const found =
    outcome.state === 'verified'
      ? {
          verified_at: now,
          error: null,
          key_id: outcome.keyId,
          summary: JSON.stringify(outcome.summary),
          tables: outcome.summary.tables.length,
          rows: outcome.summary.tables.reduce((sum, table) => sum + table.rows, 0),
          files: outcome.summary.files.length,
        }
      : { error: outcome.error, ...(outcome.state === 'unverified' && outcome.isDamaged && { verified_at: null }) }
  await db
    .updateTable('backups')
    .set({ ...change, ...found })
    .where('id', '=', id)
    .where('state', 'in', IN_PROGRESS)
    .execute()
}

/** Finished backups that have a file. */
export const findBackupsWithFile = (db: Db) =>
  db
    .selectFrom('backups')
    .select(['id', 'file', 'taken_at', 'created_at', 'verified_at', 'state', 'summary'])
    .where('file', 'is not', null)
    .where('state', 'not in', IN_PROGRESS)
    .execute()

export async function findVerified(db: Db): Promise<{ id: number; takenAt: Date }[]> {
  const rows = await db.selectFrom('backups').select(['id', 'taken_at']).where('verified_at', 'is not', null).execute()
  return rows.flatMap(({ id, taken_at }) => (taken_at ? [{ id, takenAt: taken_at }] : []))
}

export async function deleteBackup(db: Db, id: number) {
  await db.deleteFrom('backups').where('id', '=', id).execute()
}

export async function deleteFailedBefore(db: Db, before: Date) {
  await db.deleteFrom('backups').where('state', '=', 'failed').where('created_at', '<', before).execute()
}

/** Lists a file from storage that an earlier database made. */
export async function adoptFile(db: Db, { file, size, takenAt }: { file: string; size: number; takenAt: Date }) {
  await db
    .insertInto('backups')
    .values({
      kind: 'adopted',
      state: 'unverified',
      worker_id: null,
      created_at: takenAt,
      taken_at: takenAt,
      beat_at: takenAt,
      ended_at: takenAt,
      file,
      size,
      error: 'Found in storage and not verified yet.',
    })
    .onConflict((clash) => clash.doNothing())
    .execute()
}

/** Marks a backup whose file is missing as failed. */
export async function markFileMissing(db: Db, id: number) {
  await db
    .updateTable('backups')
    .set({ state: 'failed', file: null, verified_at: null, error: 'Its file is missing from storage.' })
    .where('id', '=', id)
    .where('state', 'not in', IN_PROGRESS)
    .execute()
}

interface Freshness {
  newestAt: Date | null
  since: Date
}

const freshness = sql`
  (select taken_at from backups where verified_at is not null order by taken_at desc limit 1) as "newestAt",
  (select min(applied_at) from migrations) as since`

export async function readFreshness(db: Db): Promise<Freshness> {
  const { rows } = await sql<Freshness>`select ${freshness}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('The newest backup could not be read')
  return found
}

interface Overview extends Freshness {
  total: number
  next_run_at: Date | null
  is_enabled: boolean | null
  paused_reason: string | null
}

/** `next_run_at` is null until the schedules are registered. */
export async function readOverview(db: Db, nightly: string): Promise<Overview> {
  const { rows } = await sql<Overview>`
    select ${freshness}, (select count(*) from backups) as total, s.next_run_at, s.is_enabled, s.paused_reason
    from (select 1) one left join schedules s on s.name = ${nightly}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('The status of backups could not be read')
  return found
}
