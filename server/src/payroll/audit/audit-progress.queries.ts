import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { LIVE_CHANNEL, liveText } from '#platform/live/notify.ts'

interface AuditProgress {
  workerId: number
  progressId: string
  done: number
  total: number
}

/** Publishes the progress of an audit to one worker. Lost messages do not matter. */
export async function publishProgress(db: Db, progress: AuditProgress) {
  const message = liveText('payroll.audit', progress)
  await sql`select pg_notify(${LIVE_CHANNEL}, ${message})`.execute(db).catch(() => {})
}
