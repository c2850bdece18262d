import { join } from 'node:path'
import type { ParseArgsConfig } from 'node:util'
import { type Config, readConfig } from '#platform/config.ts'
import { root } from '#platform/places.ts'
import { openEmbedded } from './embedded/environment.ts'

export interface Command {
  usage: string
  about: string
  options: NonNullable<ParseArgsConfig['options']>
  run(values: Record<string, string | boolean | undefined>, positionals: string[]): Promise<void>
}

/** Says a line. */
export const print = (line = '') => void process.stdout.write(`${line}\n`)

/** The product's settings and database: from the environment, or the embedded ones of this clone. */
export async function withConfig(run: (config: Config) => Promise<void>) {
  if (process.env.DATABASE_URL) return run(readConfig(process.env))
  const embedded = await openEmbedded(process.env.LIMBER_HOME ?? join(root, '.limber'), process.env)
  try {
    await run(readConfig(embedded.env))
  } finally {
    await embedded.close()
  }
}
