import { extendAuditChain } from '#platform/audit/audit-chain.ts'
import { systemClock } from '#platform/clock.ts'
import { openDb, openPool } from '#platform/db/db.ts'
import { migrate } from '#platform/db/migrate.ts'
import { silentLog } from '#platform/telemetry/log.ts'
import { withClient } from './database.ts'
import type { Company } from './environment.ts'
import type { Terminal } from './terminal.ts'

/** Migrates, and loads the sample company the first time: whole or not at all, so a load cut off is begun again. */
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
 * What a running product would have done by now. What the staff did lies days back: unsealed, it would look as if the log
 * had been left alone since. And whoever looks at the growth figures first is not shown a company of nobody.
 */
async function finishSample(databaseUrl: string): Promise<void> {
  const { refreshFigures } = await import('#growth/public.ts')
  const db = openDb(openPool(databaseUrl, { size: 2 }))
  await extendAuditChain(db)
  await refreshFigures({ db, clock: systemClock })
  await db.destroy()
}

function isSampleLoaded(databaseUrl: string): Promise<boolean> {
  return withClient(
    databaseUrl,
    async (client) => (await client.query(`select from installation where key = 'story'`)).rowCount === 1,
  )
}
