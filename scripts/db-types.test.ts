import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { withClient } from '../server/src/embedded/database.ts'
import type { JsonColumns } from '../server/src/platform/db/column-types.ts'
import type { JsonName } from '../server/src/platform/db/schema.ts'
import { copyTemplate, type TestDatabase } from '../server/src/platform/testing/testing.ts'
import { readSchema, SCHEMA_FILE } from './db-types.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await copyTemplate()
})
afterAll(() => database.drop())

describe('table types', () => {
  it('match the migrated database (if not, run: npm run db:types)', async () => {
    expect(await readFile(SCHEMA_FILE, 'utf8')).toBe(await readSchema(database.url))
  })

  it('differ as soon as the database does', async () => {
    const other = await copyTemplate()
    try {
      const before = await readSchema(other.url)
      await withClient(other.url, (client) => client.query('alter table customers add column breach text'))
      const after = await readSchema(other.url)
      expect(after).not.toBe(before)
      expect(after).toContain('breach')
    } finally {
      await other.drop()
    }
  })

  it('have one entry for each JSON column', () => {
    expectTypeOf<keyof JsonColumns>().toEqualTypeOf<JsonName>()
  })
})
