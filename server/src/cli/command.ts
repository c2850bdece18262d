import { join } from 'node:path'
import type { ParseArgsConfig } from 'node:util'
import { systemClock } from '#platform/clock.ts'
import { type Config, readConfig } from '#platform/config.ts'
import { openDb, openPool } from '#platform/db/db.ts'
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

/** Says a line. */
export const print = (line = '') => void process.stdout.write(`${line}\n`)

const home = () => process.env.LIMBER_HOME ?? join(root, '.limber')

/** The key of backups of the embedded installation. A new installation cannot know the key of an older backup. */
export async function embeddedBackupKey(): Promise<string> {
  const key = process.env.BACKUP_KEY ?? (await readKept(home(), 'backup-key'))
  if (!key) throw new Error('Set BACKUP_KEY to the backup key of the installation that made the backup.')
  return key
}

/** Says on stderr which database a command is about to use, as stdout may be read by another program. */
async function announce(place: string, mayCreate: boolean, company: Company): Promise<void> {
  const name = company === 'sample' ? 'sample company' : 'company'
  if (await hasInstallation(place)) process.stderr.write(`DATABASE_URL is not set: using the ${name} in ${place}.\n`)
  else if (mayCreate) process.stderr.write(`DATABASE_URL is not set: creating a ${name} in ${place}.\n`)
  else
    throw new Error(
      `DATABASE_URL is not set, and ${place} has no Limber installation.\nSet DATABASE_URL, set LIMBER_HOME to the folder of an installation, or create one with: npm start`,
    )
}

/** The product's settings and database: from the environment, or the embedded ones of this clone. */
export async function withConfig(
  run: (config: Config) => Promise<void>,
  { company, mayCreate = false }: { company?: Company; mayCreate?: boolean } = {},
) {
  if (process.env.DATABASE_URL) return run(readConfig(process.env))
  const chosen = company ?? (await companyIn(home()))
  await announce(home(), mayCreate, chosen)
  const embedded = await openEmbedded(home(), process.env, chosen)
  try {
    await run(readConfig(embedded.env))
  } finally {
    await embedded.close()
  }
}

type Installation = Pick<Services, 'db' | 'clock' | 'keyring' | 'config'>

/** What a command needs to change records as the server would. */
export const withInstallation = (run: (installation: Installation) => Promise<void>) =>
  withConfig(async (config) => {
    const db = openDb(openPool(config.databaseUrl, { size: 2 }))
    try {
      await run({ config, db, clock: systemClock, keyring: makeKeyring(config.secretKey, config.oldSecretKeys) })
    } finally {
      await db.destroy()
    }
  })
