import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { startTestPostgres } from '#embedded/for-tests.ts'
import { migrate } from '../db/migrate.ts'
import { root } from '../paths.ts'
import { silentLog } from '../telemetry/log.ts'
import { startPooler } from './testing.pooler.ts'

/** Starts one PostgreSQL per run with a migrated template. Each test file copies its own database from it. */
export default async function setup() {
  const { adminUrl, stop } = process.env.LIMBER_TEST_ADMIN
    ? { adminUrl: process.env.LIMBER_TEST_ADMIN, stop: async () => {} }
    : await startTestPostgres()
  const template = `template_${process.pid}`
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`create database ${template}`)
  const url = new URL(adminUrl)
  url.pathname = `/${template}`
  await migrate(url.href, silentLog)
  const boss = new PgBoss({ connectionString: url.href, schema: 'pgboss', schedule: false, supervise: false })
  await boss.start()
  await boss.stop({ graceful: false })
  process.env.LIMBER_TEST_DATABASE = adminUrl
  process.env.LIMBER_TEST_TEMPLATE = template
  const pooler = process.env.LIMBER_TEST_POOLER ? await startPooler(adminUrl) : undefined
  if (pooler) process.env.LIMBER_TEST_POOLER = String(pooler.port)
  // Within the clone, so that the libraries outside of the bundle are found.
  const programs = join(root, 'node_modules/.cache/limber', `test-programs-${process.pid}`)
  process.env.LIMBER_TEST_PROGRAMS = programs
  return async () => {
    const { rows } = await admin.query<{ name: string }>(
      'select datname as name from pg_database where datname = $1 or datname like $2',
      [template, `${template}\\_%`],
    )
    for (const { name } of rows) await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
    await pooler?.stop()
    await stop()
    await rm(programs, { recursive: true, force: true })
  }
}
