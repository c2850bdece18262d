import { join } from 'node:path'
import { postgresDirectory } from './account.ts'
import { readAccess, USER } from './cluster.ts'
import { ensureDatabase } from './database.ts'
import { isThere } from './files.ts'
import { backupKey, type Holder, openHome, readHolder, secretKey, takeHome } from './home.ts'
import { startPostgres } from './postgres.ts'

/** The sample company and the user's own company have separate databases, so that they never mix. */
export type Company = 'sample' | 'own'

const DATABASES: Record<Company, string> = { sample: 'limber_sample', own: 'limber' }

/** The settings for running on the embedded database. */
export async function embeddedEnvironment(
  home: string,
  { postgresUrl, company, port, env }: { postgresUrl: string; company: Company; port: number; env: NodeJS.ProcessEnv },
): Promise<NodeJS.ProcessEnv & { DATABASE_URL: string }> {
  const database = new URL(postgresUrl)
  database.pathname = '/postgres'
  await ensureDatabase(database.href, DATABASES[company])
  database.pathname = `/${DATABASES[company]}`
  return {
    ...env,
    DATABASE_URL: database.href,
    PUBLIC_URL: `http://localhost:${port}`,
    PORT: String(port),
    SECRET_KEY: env.SECRET_KEY ?? (await secretKey(home)),
    BACKUP_KEY: env.BACKUP_KEY ?? (await backupKey(home)),
    LIMBER_EMBEDDED: '1',
    LIMBER_SAMPLE: company === 'sample' ? '1' : '0',
    LIMBER_STORAGE: env.LIMBER_STORAGE ?? join(home, 'files', company),
  }
}

/** True when Limber has been started in this home before. */
export const hasInstallation = async (home: string) =>
  isThere(join(await postgresDirectory(home), 'data', 'PG_VERSION'))

/** The company that runs in a home or ran there last. */
export const companyIn = async (home: string): Promise<Company> => (await readHolder(home))?.company ?? 'sample'

/** For commands: the server's settings, on the running database or on one started for the command. */
export async function openEmbedded(
  path: string,
  env: NodeJS.ProcessEnv,
  wanted?: Company,
): Promise<{ env: NodeJS.ProcessEnv & { DATABASE_URL: string }; close(): Promise<void> }> {
  const home = await openHome(path)
  const lock = await takeHome(home, { keepHolder: true })
  const holder: Holder | undefined = await readHolder(home)
  const company = wanted ?? (await companyIn(home))
  const port = Number(holder?.url ? new URL(holder.url).port : (env.PORT ?? 3000))
  if ('release' in lock) {
    const postgres = await startPostgres({ home, log: () => {} })
    const close = async () => {
      await postgres.stop()
      lock.release()
    }
    return { env: await embeddedEnvironment(home, { postgresUrl: postgres.url, company, port, env }), close }
  }
  const access = await readAccess(home)
  if (!access) throw new Error(`Limber is starting in ${home}. Try again in a moment.`)
  const postgresUrl = `postgres://${USER}:${access.password}@127.0.0.1:${access.port}/postgres`
  return { env: await embeddedEnvironment(home, { postgresUrl, company, port, env }), close: async () => {} }
}
