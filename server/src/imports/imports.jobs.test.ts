import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { applyImport, downloadRejected, undoImport } from '@limber/contract/imports/import.ts'
import { PASSKEY_ABOVE } from '@limber/contract/imports/import-values.ts'
import { eraseUser } from '@limber/contract/support/customers/account.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { DAY, HOUR } from '#platform/clock.ts'
import { clearRecords } from '#platform/testing/testing.sync.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { importTargets } from '../app.ts'
import { fileKey } from './import-files.ts'
import { importSchedules, tidyImports } from './imports.jobs.ts'
import { importTesting } from './imports.testing.ts'

let server: TestServer
let owner: TestCaller
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  await clearRecords(server.db, 'imports', 'customers', 'outbox')
  owner = server.asOwner({ isSteppedUp: true })
})
const { check, apply, undo, rows, read, run, paramsOf } = importTesting(
  () => server,
  () => owner,
  importTargets,
)

const people = (...lines: string[]) => ['ID,First name,Last name,Email', ...lines].join('\n')
const person = (n: number) => `c-${n},Ada,Diaz${n},person${n}@example.com`
const storedKeys = async () => {
  const keys: string[] = []
  for await (const { key } of server.running.services.storage.list(fileKey(''))) keys.push(key)
  return keys
}
const keyOf = async (id: number) =>
  (await server.db.selectFrom('imports').select('file_key').where('id', '=', id).executeTakeFirst())?.file_key
/** Lets the test's clock, not the disk, say when files were stored. */
async function dateFiles() {
  const { config } = server.running.services
  for (const key of await storedKeys())
    await utimes(join(config.storagePath, key), server.clock.now(), server.clock.now())
}
const jobs = async () =>
  (await server.db.selectFrom('outbox').select('key').where('channel', '=', 'job').execute()).length
const runSchedule = async (name: string) =>
  importSchedules.find((schedule) => schedule.name === name)?.run(server.running.services)

it('continues an import whose process died, and leaves one that a process works on', async () => {
  const { id } = await check('customers', people(person(1), person(2)))
  await owner.send(applyImport, { ...paramsOf(id), body: {} })
  await clearRecords(server.db, 'outbox')
  const claim = (age: string) =>
    sql`update imports set runner = gen_random_uuid(), beat_at = clock_timestamp() - ${age}::interval
      where id = ${id}`.execute(server.db)
  await claim('1 second')
  expect(await runSchedule('imports')).toEqual({ resumed: 0 })
  await claim('1 minute')
  expect(await runSchedule('imports')).toEqual({ resumed: 1 })
  expect(await jobs()).toBe(1)
  expect(await run(id)).toMatchObject({ state: 'applied', counts: { created: 2 } })
  expect(await runSchedule('imports')).toEqual({ resumed: 0 })
})

it('deletes files and rows after seven days, and files that belong to no import after two hours', async () => {
  const { id } = await check('customers', people(person(1), 'c-2,Bo,Ek,bad'))
  await apply(id)
  const { storage } = server.running.services
  const lost = fileKey('lost.csv')
  await storage.put(lost, Readable.from(['x']), { type: 'text/csv' })
  await dateFiles()
  await tidyImports(server.running.services)
  expect(await storedKeys()).toEqual(expect.arrayContaining([lost, await keyOf(id)]))
  server.clock.advance(3 * HOUR)
  try {
    await tidyImports(server.running.services)
    expect(await storedKeys()).not.toContain(lost)
    expect(await storedKeys()).toContain(await keyOf(id))
    server.clock.advance(7 * DAY)
    const key = await keyOf(id)
    expect(await tidyImports(server.running.services)).toMatchObject({ expired: 1 })
    expect(await storedKeys()).not.toContain(key)
    owner = server.asOwner()
    expect(await rows(id)).toEqual([])
    expect(await read(id)).toMatchObject({ file: { is_kept: false }, counts: { created: 1, rejected: 1 } })
    expect((await owner.send(downloadRejected, paramsOf(id))).failure.code).toBe('no_file')
  } finally {
    server.clock.advance(-7 * DAY - 3 * HOUR)
  }
})

it('forgets the file and the rows of a person who is erased, and can still undo the others', async () => {
  const known = await makeCustomer(server.db, { email: 'person1@example.com', first_name: 'Old' })
  const { id } = await check('customers', people(person(1), person(2)))
  await apply(id)
  const other = await check('customers', people('c-9,Ola,Poe,ola@example.com'))
  const waiting = await check('customers', people(person(1), person(3)))
  const key = await keyOf(id)
  await dateFiles()
  const body = { reason: 'They asked for it.', email: 'person1@example.com' }
  const erased = await owner.send(eraseUser, { params: { id: String(known.id) }, body })
  expect(erased.status, erased.text).toBe(200)
  expect([await keyOf(id), await keyOf(waiting.id)]).toEqual([null, null])
  expect(await keyOf(other.id)).not.toBeNull()
  const { rows: left } =
    await sql`select from import_rows r where r::text ilike '%person1%' or r::text like '%Diaz1%'`.execute(server.db)
  expect(left).toEqual([])
  expect((await owner.send(applyImport, { ...paramsOf(waiting.id), body: {} })).failure.code).toBe('no_file')
  server.clock.advance(3 * HOUR)
  try {
    await tidyImports(server.running.services)
    expect(await storedKeys()).not.toContain(key)
  } finally {
    server.clock.advance(-3 * HOUR)
  }
  expect(await undo(id)).toMatchObject({ state: 'undone', counts: { undone: 1, kept: 1 } })
  server.clock.advance(8 * DAY)
  try {
    await tidyImports(server.running.services)
    expect(await server.db.selectFrom('import_rows').select('line').execute()).toEqual([])
  } finally {
    server.clock.advance(-8 * DAY)
  }
})

it('requires a passkey confirmation to apply more than 100 rows', async () => {
  const lines = Array.from({ length: PASSKEY_ABOVE + 1 }, (_, n) => person(n))
  const few = await check('customers', people(...lines.slice(0, PASSKEY_ABOVE)))
  const many = await check('customers', people(...lines))
  const plain = server.asOwner()
  const send = (id: number, caller: TestCaller) => caller.send(applyImport, { ...paramsOf(id), body: {} })
  expect((await send(many.id, plain)).failure.code).toBe('step_up_required')
  expect((await read(many.id)).state).toBe('checked')
  expect((await send(few.id, plain)).status).toBe(200)
  await run(few.id)
  expect((await send(many.id, owner)).status).toBe(200)
  expect(await run(many.id)).toMatchObject({ counts: { created: 1, changed_since: PASSKEY_ABOVE } })
  expect((await plain.send(undoImport, paramsOf(many.id))).status).toBe(200)
})
