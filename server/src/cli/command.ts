import { join } from 'node:path'
import type { ParseArgsConfig } from 'node:util'
import { systemClock } from '#platform/clock.ts'
import { watchCompany } from '#platform/company/company-settings.ts'
import { type Config, readConfig } from '#platform/config.ts'
import { openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { root } from '#platform/paths.ts'
import { makeKeyring } from '#platform/security/secrets.ts'
import type { Services } from '#platform/services.ts'
import { type Company, companyIn, hasInstallation, openEmbedded } from '../embedded/environment.ts'
import { readKept } from '../embedded/home.ts'

export interface Command {
  usage: string
  about: string
  options: NonNullable<ParseArgsConfig['options']>
  run(values: Record<string, string | boolean | undefined>, positionals: string[]): Promise<void>
}

export const print = (line = '') => void process.stdout.write(`${line}\n`)

const home = () => process.env.LIMBER_HOME ?? join(root, '.limber')

/** The backup key of the embedded installation. A new installation does not have the key of an older backup. */
export async function embeddedBackupKey(): Promise<string> {
  const key = process.env.BACKUP_KEY ?? (await readKept(home(), 'backup-key'))
  if (!key) throw new Error('Set BACKUP_KEY to the backup key of the installation that made the backup.')
  return key
}

/** Reports on stderr which database a command uses, because stdout may be piped to another program. */
async function announce(folder: string, mayCreate: boolean, company: Company): Promise<void> {
  const name = company === 'sample' ? 'sample company' : 'company'
  if (await hasInstallation(folder)) process.stderr.write(`DATABASE_URL is not set: using the ${name} in ${folder}.\n`)
  else if (mayCreate) process.stderr.write(`DATABASE_URL is not set: creating a ${name} in ${folder}.\n`)
  else
    throw new Error(
      `DATABASE_URL is not set, and ${folder} has no Limber installation.\nSet DATABASE_URL, set LIMBER_HOME to the folder of an installation, or create one with: npm start`,
    )
}

/** Runs with the settings and database of the environment, or with the embedded ones of this clone. */
export async function withConfig(
  run: (config: Config) => Promise<void>,
  { company, mayCreate = false }: { company?: Company; mayCreate?: boolean } = {},
) {
  if (process.env.DATABASE_URL) return run(readConfig(process.env))
  const selected = company ?? (await companyIn(home()))
  await announce(home(), mayCreate, selected)
  const embedded = await openEmbedded(home(), process.env, selected)
  try {
    await run(readConfig(embedded.env))
  } finally {
    await embedded.close()
  }
}

type Installation = Pick<Services, 'db' | 'clock' | 'keyring' | 'config' | 'company'>

/** What a command needs to change records as the server would. */
export const withInstallation = (run: (installation: Installation) => Promise<void>) =>
  withConfig(async (config) => {
    const db = openDb(openPool(config.databaseUrl, { size: 2 }))
    const keyring = makeKeyring(config.secretKey, config.oldSecretKeys)
    const company = watchCompany({ db, keyring, config })
    try {
      await company.reload()
      await run({ config, db, clock: systemClock, keyring, company })
    } finally {
      await db.destroy()
    }
  })
