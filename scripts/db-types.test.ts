import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
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

  it('have one entry for each JSON column', () => {
    expectTypeOf<keyof JsonColumns>().toEqualTypeOf<JsonName>()
  })
})
