import { createTransport } from 'nodemailer'
import { backupAlarm } from '#backups/public.ts'
import { stopwatch, systemClock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { openDb, openPool } from '#platform/db.ts'
import { pendingMigrations } from '#platform/migrate.ts'
import { makeStorage } from '#platform/open-storage.ts'

export interface Finding {
  name: string
  detail?: string
  problem?: string
}

const check = async (name: string, look: () => Promise<string>): Promise<Finding> => {
  try {
    return { name, detail: await look() }
  } catch (error) {
    return { name, problem: error instanceof Error ? error.message : String(error) }
  }
}

const OLDEST = 150_000

async function lookAtDatabase(config: Config): Promise<string> {
  const pool = openPool(config.databaseUrl, { size: 1 })
  try {
    const elapsed = stopwatch()
    const { rows } = await pool.query<{ version: string; number: number; size: string }>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number, pg_size_pretty(pg_database_size(current_database())) as size`,
    )
    const [found] = rows
    if (!found || found.number < OLDEST)
      throw new Error(`PostgreSQL ${found?.version} is too old; 15 or newer is needed.`)
    return `PostgreSQL ${found.version}, ${found.size}, answers in ${elapsed().toFixed(0)} ms`
  } finally {
    await pool.end()
  }
}

async function lookAtStorage(config: Config): Promise<string> {
  const storage = await makeStorage(config)
  await storage.put('doctor/probe.txt', Buffer.from('probe'), { type: 'text/plain', size: 5 })
  const size = await storage.size('doctor/probe.txt')
  await storage.delete('doctor/probe.txt')
  if (size !== 5) throw new Error('A file that was written could not be read again.')
  const free = await storage.free()
  return `${storage.kind}${free === undefined ? '' : `, ${Math.round(free / 1e9)} GB free`}`
}

async function lookAtMail(config: Config): Promise<string> {
  if (config.smtpUrl) {
    await createTransport(config.smtpUrl).verify()
    return 'the SMTP server answers'
  }
  if (config.isEmbedded) return 'not connected: mails stay in the local mailbox (npm run limber -- mail)'
  throw new Error('SMTP_URL is not set: no mail can be sent, and nobody can sign in from a new device.')
}

async function lookAtBackups(config: Config): Promise<string> {
  const db = openDb(openPool(config.databaseUrl, { size: 1 }))
  try {
    const { isAlarm, text } = await backupAlarm(db, systemClock.now(), { isSetUp: config.backup.key !== undefined })
    if (isAlarm) throw new Error(text)
    return text
  } finally {
    await db.destroy()
  }
}

/** Tries everything the product leans on, for real. */
export const findProblems = (config: Config): Promise<Finding[]> =>
  Promise.all([
    check('settings', async () => `${config.publicUrl}, port ${config.port}`),
    check('database', () => lookAtDatabase(config)),
    check('schema', async () => {
      const pending = await pendingMigrations(config.databaseUrl)
      if (pending.length > 0) throw new Error(`Not up to date: ${pending.join(', ')}. Run: npm run limber -- migrate`)
      return 'up to date'
    }),
    check('storage', () => lookAtStorage(config)),
    check('mail', () => lookAtMail(config)),
    check('backups', () => lookAtBackups(config)),
  ])
