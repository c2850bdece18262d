import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/testing.ts'
import { resealColumn, type SealedColumn, sealedColumns } from './reseal.ts'
import { makeKeyring } from './secrets.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const secret = () => randomBytes(48).toString('base64')
const [first, second, gone] = [secret(), secret(), secret()]
const totp: SealedColumn = { table: 'workers', column: 'totp_secret', purpose: 'totp' }

it('re-encrypts values of an earlier key and skips values without a known key', async () => {
  const [known, lost] = [await server.signIn([]), await server.signIn([])]
  const seal = (id: number, key: string) =>
    sql`update workers set totp_secret = ${makeKeyring(key).seal('totp', `secret ${id}`)} where id = ${id}`.execute(
      server.db,
    )
  await seal(known.id, first)
  await seal(lost.id, gone)
  expect(await resealColumn(server.db, makeKeyring(second, [first]), totp)).toEqual({ resealed: 1, left: 1 })
  const { totp_secret } = await server.db
    .selectFrom('workers')
    .select('totp_secret')
    .where('id', '=', known.id)
    .executeTakeFirstOrThrow()
  expect(makeKeyring(second).open('totp', totp_secret ?? Buffer.of())).toBe(`secret ${known.id}`)
  expect(await resealColumn(server.db, makeKeyring(second, [first]), totp)).toEqual({ resealed: 0, left: 1 })
})

it('lists existing columns', async () => {
  for (const { table, column } of sealedColumns) {
    await sql`select ${sql.ref(column)} from ${sql.table(table)} where id = 0`.execute(server.db)
  }
})
