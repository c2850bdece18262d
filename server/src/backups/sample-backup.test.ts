// @module-tag slow
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { copySampleCompany, SEED_TIMEOUT } from '../../../seed/seed-company.testing.ts'
import { makeBackup, startBackupServer } from './backups.testing.ts'

it(
  'a backup of the whole sample company is verified by a restore',
  async () => {
    const server = await startBackupServer({}, { database: await copySampleCompany() })
    const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
      where schemaname = 'public' and tablename <> 'backups'`.execute(server.db)
    let filled = 0
    for (const { name } of rows)
      filled += (await sql`select from ${sql.table(name)} limit 1`.execute(server.db)).rows.length
    expect(filled).toBeGreaterThan(60)
    expect(await makeBackup(server)).toMatchObject({ state: 'verified', error: null })
    await server.stop()
  },
  SEED_TIMEOUT,
)
