import { extendAuditChain } from '#platform/audit/audit-chain.ts'
import { systemClock } from '#platform/clock.ts'
import { openDb } from '#platform/db/db.ts'
import { migrate } from '#platform/db/migrate.ts'
import { openPool } from '#platform/db/pool.ts'
import { silentLog } from '#platform/telemetry/log.ts'
import { withClient } from './database.ts'
import type { Company } from './environment.ts'
import type { Terminal } from './terminal.ts'

/** Migrates, and loads the sample company the first time. Loading is atomic, so an interrupted load starts over. */
export async function prepareDatabase(
  terminal: Terminal,
  databaseUrl: string,
  company: Company,
  { secretKey, storagePath }: { secretKey?: string | undefined; storagePath?: string | undefined } = {},
): Promise<void> {
  await terminal.stage('Updating the database', () => migrate(databaseUrl, silentLog))
  if (company === 'own' || (await isSampleLoaded(databaseUrl))) return
  await terminal.stage('Loading the sample company', async () => {
    const { seedCompany } = await import('../../../seed/seed-company.ts')
    const { diskStorage } = await import('#platform/storage/storage-disk.ts')
    await seedCompany(databaseUrl, { secretKey, ...(storagePath && { storage: diskStorage(storagePath) }) })
    await finishSample(databaseUrl)
  })
}

/**
 * Does what a running server would have done by now: seals the audit log, whose rows are days old, computes the growth
 * figures, so that the first screen is not empty, and measures the campaigns.
 */
async function finishSample(databaseUrl: string): Promise<void> {
  const { markCampaigns, refreshFigures } = await import('#growth/public.ts')
  const db = openDb(openPool(databaseUrl, { size: 2 }))
  await extendAuditChain(db)
  await refreshFigures({ db, clock: systemClock })
  await markCampaigns(db, systemClock.now())
  await db.destroy()
}

function isSampleLoaded(databaseUrl: string): Promise<boolean> {
  return withClient(
    databaseUrl,
    async (client) => (await client.query(`select from installation where key = 'story'`)).rowCount === 1,
  )
}
