import { backupAlarm, openVault, probeScratch } from '#backups/public.ts'
import { makeGraph } from '#marketing/meta/meta-graph.ts'
import { isSubscribed, openPage } from '#marketing/meta/meta-page.ts'
import { stopwatch, systemClock } from '#platform/clock.ts'
import { readCompanySettings } from '#platform/company/company-settings.ts'
import type { Config } from '#platform/config.ts'
import { openDb } from '#platform/db/db.ts'
import { pendingMigrations } from '#platform/db/migrate.ts'
import { openPool } from '#platform/db/pool.ts'
import { checkMailServer } from '#platform/mail/mail.ts'
import { makeTextService } from '#platform/outbox/texts.ts'
import { makeKeyring } from '#platform/security/secrets.ts'
import { makeStorage } from '#platform/storage/open-storage.ts'
import type { Storage } from '#platform/storage/storage.ts'

export interface Finding {
  name: string
  detail?: string
  problem?: string
}

const check = async (name: string, run: () => Promise<string>): Promise<Finding> => {
  try {
    return { name, detail: await run() }
  } catch (error) {
    return { name, problem: error instanceof Error ? error.message : String(error) }
  }
}

const MIN_VERSION = 150_000

async function checkDatabase(config: Config): Promise<string> {
  const pool = openPool(config.databaseUrl, { size: 1 })
  try {
    const elapsed = stopwatch()
    const { rows } = await pool.query<{ version: string; number: number; size: string }>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number, pg_size_pretty(pg_database_size(current_database())) as size`,
    )
    const [found] = rows
    if (!found || found.number < MIN_VERSION)
      throw new Error(`PostgreSQL ${found?.version} is too old. Use 15 or newer.`)
    return `PostgreSQL ${found.version}, ${found.size}, responds in ${elapsed().toFixed(0)} ms`
  } finally {
    await pool.end()
  }
}

async function checkStorage(storage: Storage, key: string): Promise<string> {
  await storage.put(key, Buffer.from('probe'), { type: 'text/plain', size: 5 })
  const size = await storage.size(key)
  await storage.delete(key)
  if (size !== 5) throw new Error('A written file could not be read back.')
  const free = await storage.free()
  return `${storage.kind}${free === undefined ? '' : `, ${Math.round(free / 1e9)} GB free`}`
}

async function checkMail(config: Config): Promise<string> {
  const db = openDb(openPool(config.databaseUrl, { size: 1 }))
  const keyring = makeKeyring(config.secretKey, config.oldSecretKeys)
  const { mail } = await readCompanySettings({ db, keyring, config })
  await db.destroy()
  if (mail) {
    await checkMailServer(mail)
    return 'the SMTP server responds'
  }
  if (config.isEmbedded) return 'not connected: emails stay in the local mailbox (npm run limber -- mail)'
  throw new Error(
    'No mail server is set up (Company, or SMTP_URL): emails cannot be sent. Read sign-in codes and links with: npm run limber -- mail',
  )
}

async function checkTexts(config: Config): Promise<string> {
  const service = makeTextService(config)
  return service ? `the account ${await service.check()} responds` : 'not connected: text messages are off'
}

async function checkAds({ meta }: Config): Promise<string> {
  if (!meta) return 'not connected: ads and their leads are off'
  const me = (await makeGraph(meta).get('me', { fields: 'name' })) as { name?: unknown }
  const answers = `the account ${String(me.name ?? 'at Meta')} responds`
  if (!meta.ads) return answers
  const isAnnounced = await isSubscribed(openPage(meta, meta.ads.pageId, systemClock))
  if (isAnnounced) return `${answers}, and the page is subscribed to leads`
  return `${answers}, but the page is not subscribed to leads yet; the server retries every hour`
}

async function checkVault(config: Config): Promise<string> {
  if (config.backup.key === undefined) return 'not set up'
  const { storage, prefix, location } = await openVault(config)
  return `${await checkStorage(storage, `${prefix}doctor-probe.txt`)}: ${location}`
}

async function checkScratch({ databaseUrl, backup }: Config): Promise<string> {
  if (backup.key === undefined) return 'not set up'
  await probeScratch({ databaseUrl, scratchUrl: backup.scratchUrl })
  return 'a scratch database can be created and dropped'
}

async function checkBackups(config: Config): Promise<string> {
  const db = openDb(openPool(config.databaseUrl, { size: 1 }))
  try {
    const { isAlarm, text } = await backupAlarm(db, systemClock.now(), { isSetUp: config.backup.key !== undefined })
    if (isAlarm) throw new Error(text)
    return text
  } finally {
    await db.destroy()
  }
}

/** Checks all dependencies with real requests. Test data is deleted, and nothing is sent. */
export const findProblems = (config: Config): Promise<Finding[]> =>
  Promise.all([
    check('settings', async () => `${config.publicUrl}, port ${config.port}`),
    check('database', () => checkDatabase(config)),
    check('schema', async () => {
      const pending = await pendingMigrations(config.databaseUrl)
      if (pending.length > 0) throw new Error(`Not up to date: ${pending.join(', ')}. Run: npm run limber -- migrate`)
      return 'up to date'
    }),
    check('storage', async () => checkStorage(await makeStorage(config), 'doctor/probe.txt')),
    check('mail', () => checkMail(config)),
    check('texts', () => checkTexts(config)),
    check('ads', () => checkAds(config)),
    check('backups', () => checkBackups(config)),
    check('backup store', () => checkVault(config)),
    check('backup check', () => checkScratch(config)),
  ])
