import { join } from 'node:path'
import type { ParseArgsConfig } from 'node:util'
import { type Config, readConfig } from '#platform/config.ts'
import { root } from '#platform/places.ts'
import { type Company, openEmbedded } from './embedded/environment.ts'
import { backupKey, openHome } from './embedded/home.ts'

export interface Command {
  usage: string
  about: string
  options: NonNullable<ParseArgsConfig['options']>
  run(values: Record<string, string | boolean | undefined>, positionals: string[]): Promise<void>
}

/** Says a line. */
export const print = (line = '') => void process.stdout.write(`${line}\n`)

const home = () => process.env.LIMBER_HOME ?? join(root, '.limber')

/** The key of backups of the embedded installation. */
export const embeddedBackupKey = async () => process.env.BACKUP_KEY ?? (await backupKey(await openHome(home())))

/** The product's settings and database: from the environment, or the embedded ones of this clone. */
export async function withConfig(run: (config: Config) => Promise<void>, company?: Company) {
  if (process.env.DATABASE_URL) return run(readConfig(process.env))
  const embedded = await openEmbedded(home(), process.env, company)
  try {
    await run(readConfig(embedded.env))
  } finally {
    await embedded.close()
  }
}
