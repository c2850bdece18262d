import {
  applyImport,
  cancelImport,
  checkImport,
  deleteImport,
  downloadRejected,
  undoImport,
} from '@limber/contract/imports/import.ts'
import { correctContact } from '@limber/contract/support/customers/account.ts'
import { exportUsers } from '@limber/contract/support/customers/customer.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '#platform/clock.ts'
import { clearRecords } from '#platform/testing/testing.sync.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { importTargets } from '../app.ts'
import { importTesting, upload } from './imports.testing.ts'

let server: TestServer
let owner: TestCaller
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  await clearRecords(
    server.db,
    'imports',
    'bookings',
    'email_logs',
    'stretchers',
    'customers',
    'suppressions',
    'outbox',
  )
  owner = server.asOwner({ isSteppedUp: true })
})
const { check, apply, undo, rows, read, paramsOf } = importTesting(
  () => server,
  () => owner,
  importTargets,
)

const HEAD = 'ID,First name,Last name,Email,Phone,Joined,Referrer ID'
const file = (...lines: string[]) => [HEAD, ...lines].join('\n')
const everything = async () => {
  const { rows: customers } = await sql`select * from customers order by id`.execute(server.db)
  const { rows: refs } = await sql`select * from external_refs order by 1, 2, 3`.execute(server.db)
  return { customers, refs }
}
const emails = async () =>
  (await server.db.selectFrom('customers').select('email').orderBy('email').execute()).map((c) => c.email)

describe('the check', () => {
  it('takes the list of customers as its screen exports it', async () => {
    await makeCustomer(server.db, {
      email: 'verified@example.com',
      first_name: 'Vera',
      last_name: 'Ek',
      phone: '+19515550101',
    })
    await makeCustomer(server.db, {
      email: 'other@example.com',
      first_name: 'Otto',
      last_name: 'Ek',
      email_verified_at: null,
    })
    const list = await owner.send(exportUsers)
    await clearRecords(server.db, 'customers')
    await apply((await check('customers', list.text)).id)
    expect((await owner.send(exportUsers)).text.replaceAll(/^\d+,/gm, '')).toBe(list.text.replaceAll(/^\d+,/gm, ''))
  })

  it('plans every row with its line and reason, and writes nothing', async () => {
    const known = await makeCustomer(server.db, { email: 'known@example.com', first_name: 'Old', phone: null })
    const before = await everything()
    const checked = await check(
      'customers',
      file(
        'c-1,Ada,Diaz,ada@example.com,(951) 555-0142,2025-03-04,',
        'c-2,New,Name,Known@Example.com,,,',
        'c-3,Bo,Ek,no address,,,',
        'c-4,Cy,Fox,ADA@example.com,,,',
        'c-5,Di,Gil,di@example.com,,soon,',
        'c-6,Ed,Hay,ed@example.com,,,c-1',
        'c-7,Flo,Ives,flo@example.com,,,c-99',
        'c-8,Gus,Jay,gus@example.com,,2099-01-01,c-1',
        'c-1,Ada,Diaz,other@example.com,,,',
        ',,,,,,',
        'c-10,,Kim,kim@example.com,,,c-3',
      ),
    )
    expect(checked).toMatchObject({
      state: 'checked',
      counts: { create: 2, update: 1, unchanged: 0, skipped: 2, rejected: 5, values: 2 },
    })
    expect((await rows(checked.id)).map(({ line, state, subject, detail }) => [line, state, subject, detail])).toEqual([
      [2, 'create', 'Ada Diaz', null],
      [3, 'update', 'New Name', null],
      [4, 'rejected', 'Bo Ek', 'Email is not valid.'],
      [5, 'skipped', 'Cy Fox', 'Same email as line 2.'],
      [6, 'rejected', 'Di Gil', 'Joined is not a date.'],
      [7, 'create', 'Ed Hay', null],
      [8, 'rejected', 'Flo Ives', 'There is no record c-99 in customers.'],
      [9, 'rejected', 'Gus Jay', 'Joined must not be in the future.'],
      [10, 'skipped', 'Ada Diaz', 'Same ID as line 2.'],
      [12, 'rejected', 'Kim', 'There is no record c-3 in customers.'],
    ])
    const [bad] = await rows(checked.id, { reason: 'Email is not valid' })
    expect(bad).toMatchObject({ line: 4, field: 'Email', value: 'no address' })
    expect(checked.reasons).toContainEqual({ state: 'rejected', reason: 'Referred by customer is unknown', count: 2 })
    const [update] = await rows(checked.id, { state: 'update' })
    expect(update).toMatchObject({
      record_id: known.id,
      changes: [
        { label: 'First name', before: 'Old', after: 'New' },
        { label: 'Last name', after: 'Name' },
      ],
    })
    expect(await everything()).toEqual(before)
  })

  it('asks for the order of day and month, and refuses columns that cannot be', async () => {
    const { body } = await upload(owner, 'customers', 'Email,Joined\na@example.com,03/04/2025')
    const send = async (columns: Record<string, string>, more: object = {}) =>
      (await owner.send(checkImport, { ...paramsOf(body.id), body: { columns, ...more } })).failure
    expect(await send({ Email: 'email', Joined: 'joined_at' })).toMatchObject({
      code: 'dates_unclear',
      message: 'The dates in Joined, such as 03/04/2025, can be read in two ways. Say which one is meant.',
    })
    expect(await send({ Email: 'color' })).toMatchObject({ code: 'bad_columns' })
    expect(await send({ Email: 'email', Joined: 'email' })).toMatchObject({ code: 'bad_columns' })
    expect(await send({ Elsewhere: 'email' })).toMatchObject({ code: 'bad_columns' })
    expect((await owner.send(applyImport, { ...paramsOf(body.id), body: {} })).failure.code).toBe('not_checked')
  })

  it('reads dates in three forms in one column', async () => {
    const { id } = await check(
      'customers',
      file(
        '1,A,B,a@example.com,,03/04/2025,',
        '2,C,D,c@example.com,,2025-03-19,',
        '3,E,F,e@example.com,,"Mar 5, 2025",',
        '4,G,H,g@example.com,,13/04/2025,',
      ),
      { dates: 'mdy' },
    )
    expect((await rows(id)).map(({ state }) => state)).toEqual(['create', 'create', 'create', 'rejected'])
  })

  it('takes formulas as text', async () => {
    const { id } = await check('customers', file('1,=SUM(A1:A9),B,a@example.com,,,', '2,"\'=1+1",D,c@example.com,,,'))
    await apply(id)
    const names = await server.db.selectFrom('customers').select('first_name').orderBy('id').execute()
    expect(names.map(({ first_name }) => first_name)).toEqual(['=SUM(A1:A9)', '=1+1'])
  })
})

describe('the apply', () => {
  it('does exactly what was planned, tells nobody, and the same file is unchanged afterward', async () => {
    await makeCustomer(server.db, { email: 'known@example.com', first_name: 'Old' })
    const content = file('c-1,Ada,Diaz,ada@example.com,,,', 'c-2,New,Name,known@example.com,,,c-1', 'c-3,Bo,Ek,bad,,,')
    const checked = await check('customers', content)
    const applied = await apply(checked.id)
    expect(applied).toMatchObject({
      state: 'applied',
      counts: { created: 1, updated: 1, changed_since: 0, rejected: 1 },
    })
    expect(applied.undo_until).not.toBeNull()
    expect(await emails()).toEqual(['ada@example.com', 'known@example.com'])
    expect(await server.db.selectFrom('outbox').select('key').where('channel', '<>', 'job').execute()).toEqual([])
    const again = await check('customers', `${content}\n`)
    expect(again.counts).toMatchObject({ create: 0, update: 0, unchanged: 2, rejected: 1 })
    expect((await owner.send(applyImport, { ...paramsOf(again.id), body: {} })).failure.code).toBe('nothing')
    expect((await owner.send(applyImport, { ...paramsOf(applied.id), body: {} })).failure.code).toBe('busy')
  })

  it('names rows whose record changed, was created or deleted since, and leaves them', async () => {
    const first = await makeCustomer(server.db, { email: 'one@example.com', first_name: 'One', last_name: 'A' })
    await makeCustomer(server.db, { email: 'two@example.com', first_name: 'Two', last_name: 'B' })
    const { id } = await check(
      'customers',
      file('c-1,Uno,A,one@example.com,,,', 'c-2,Dos,B,two@example.com,,,', 'c-3,Tres,C,three@example.com,,,'),
    )
    const contact = { first_name: 'Own', last_name: 'A', email: 'one@example.com', phone: null, reason: 'They called.' }
    const changed = await owner.send(correctContact, { params: { id: String(first.id) }, body: contact })
    expect(changed.status, changed.text).toBe(200)
    await makeCustomer(server.db, { email: 'three@example.com', first_name: 'Three' })
    const applied = await apply(id)
    expect(applied.counts).toMatchObject({ created: 0, updated: 1, changed_since: 2 })
    expect((await rows(id)).map(({ line, state, outcome, detail }) => [line, state, outcome, detail])).toEqual([
      [2, 'changed_since', null, 'The record changed after the check.'],
      [3, 'update', 'applied', null],
      [4, 'changed_since', null, 'Such a record was created after the check.'],
    ])
    const names = await server.db.selectFrom('customers').select('first_name').orderBy('email').execute()
    expect(names.map(({ first_name }) => first_name)).toEqual(['Own', 'Three', 'Dos'])
  })

  it('can be canceled and continued', async () => {
    const { id } = await check('customers', file('c-1,Ada,Diaz,ada@example.com,,,'))
    expect((await owner.send(cancelImport, paramsOf(id))).failure.code).toBe('not_running')
    await owner.send(applyImport, { ...paramsOf(id), body: {} })
    expect((await owner.send(deleteImport, paramsOf(id))).failure.code).toBe('busy')
    expect((await owner.send(cancelImport, paramsOf(id))).body.state).toBe('canceled')
    expect(await emails()).toEqual([])
    expect((await apply(id)).counts).toMatchObject({ created: 1 })
  })

  it('refuses a second import of the same file while one runs, and names a finished one', async () => {
    const content = file('c-1,Ada,Diaz,ada@example.com,,,')
    const { id } = await check('customers', content)
    await owner.send(applyImport, { ...paramsOf(id), body: {} })
    expect((await upload(owner, 'customers', content)).failure).toMatchObject({
      code: 'under_way',
      message: `Import ${id} of the same file is not finished. Continue it, or cancel it first.`,
    })
    await owner.send(cancelImport, paramsOf(id))
    await apply(id)
    expect((await upload(owner, 'customers', content)).body.same_file).toMatchObject({ id, state: 'applied' })
  })
})

describe('the rejected rows', () => {
  it('come back as CSV with a reason, ready to be corrected', async () => {
    const { id } = await check(
      'customers',
      file('c-1,Ada,Diaz,ada@example.com,,,', 'c-2,"Bo, Jr.",Ek,bad,,,', 'c-3,,Fox,fox@example.com,,,'),
    )
    const { text } = await owner.send(downloadRejected, paramsOf(id))
    expect(text.replace('\uFEFF', '').trim().split(/\r?\n/)).toEqual([
      `${HEAD},Reason`,
      'c-2,"Bo, Jr.",Ek,bad,,,,Email is not valid.',
      'c-3,,Fox,fox@example.com,,,,First name is required.',
    ])
    const fixed = await check('customers', text.replace('bad', 'bo@example.com').replace('c-3,,', 'c-3,Cy,'))
    expect(fixed.counts).toMatchObject({ create: 2, rejected: 0 })
  })
})

describe('the undo', () => {
  it('removes what was created, restores what was changed, and the file can be imported again', async () => {
    await makeCustomer(server.db, { email: 'known@example.com', first_name: 'Old' })
    const before = await everything()
    const content = file('c-1,Ada,Diaz,ada@example.com,,,', 'c-2,New,Name,known@example.com,,,c-1')
    const checked = await check('customers', content)
    await apply(checked.id)
    const undone = await undo(checked.id)
    expect(undone).toMatchObject({ state: 'undone', counts: { undone: 2, kept: 0 }, undo_until: null })
    const after = await everything()
    expect(after.refs).toEqual(before.refs)
    const plain = ({ version: _, ...row }: Record<string, unknown>) => row
    expect(after.customers.map((row) => plain(row as never))).toEqual(
      before.customers.map((row) => plain(row as never)),
    )
    expect((await owner.send(undoImport, paramsOf(checked.id))).failure.code).toBe('nothing')
    expect((await check('customers', content)).counts).toMatchObject({ create: 1, update: 1 })
    expect((await owner.send(deleteImport, paramsOf(checked.id))).status).toBe(200)
  })

  it('keeps and names records that were touched since, or that others use', async () => {
    const { id } = await check(
      'customers',
      file('c-1,Ada,Diaz,ada@example.com,,,', 'c-2,Bo,Ek,bo@example.com,,,', 'c-3,Cy,Fox,cy@example.com,,,'),
    )
    await apply(id)
    const byEmail = async (email: string) =>
      (await server.db.selectFrom('customers').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id
    const contact = { first_name: 'Adele', last_name: 'Diaz', email: 'ada@example.com', phone: null, reason: 'Asked.' }
    await owner.send(correctContact, { params: { id: String(await byEmail('ada@example.com')) }, body: contact })
    await makeBooking(server.db, { customer_id: await byEmail('bo@example.com') })
    expect((await owner.send(deleteImport, paramsOf(id))).failure.code).toBe('can_undo')
    const undone = await undo(id)
    expect(undone.counts).toMatchObject({ undone: 1, kept: 2 })
    expect((await rows(id, { outcome: 'kept' })).map(({ line, detail }) => [line, detail])).toEqual([
      [2, 'The record changed after the import.'],
      [3, 'It is used by a booking.'],
    ])
    expect(await emails()).not.toContain('cy@example.com')
  })

  it('is possible for seven days', async () => {
    const { id } = await check('customers', file('c-1,Ada,Diaz,ada@example.com,,,'))
    await apply(id)
    server.clock.advance(8 * DAY)
    try {
      const late = server.asOwner()
      expect((await late.send(undoImport, paramsOf(id))).failure.code).toBe('too_late')
      expect((await late.send(deleteImport, paramsOf(id))).status).toBe(200)
    } finally {
      server.clock.advance(-8 * DAY)
    }
    expect(await read(id)).not.toMatchObject({ state: 'applied' })
  })
})
