// @module-tag slow
import { previewUndo } from '@limber/contract/imports/import.ts'
import { type ImportResource, importResources } from '@limber/contract/imports/import-kinds.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorker } from '#access/workers/worker.factory.ts'
import { makeBusiness } from '#businesses/business/business.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { makeCertification, makeCertificationType } from '#certifications/certification.factory.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { importTargets } from '../app.ts'
import { importTesting } from './imports.testing.ts'

let server: TestServer
let owner: TestCaller
let zone: number
beforeAll(async () => {
  server = await startTestServer()
  owner = server.asOwner()
  zone = (await makeZone(server.db)).id
  await makeBusiness(server.db, { custom_path: 'citrus-works' })
  await makeWorker(server.db, { email: 'paid@example.com' })
  // What the files name.
  const people = await check(
    'customers',
    'ID,First name,Last name,Email\nc-1,Ada,Diaz,ada@example.com\nc-2,Bo,Ek,bo@example.com',
  )
  await apply(people.id)
  const staff = `ID,First name,Last name,Email,Zone,Status,Hired\ns-1,Sam,Okafor,sam@example.com,${zone},active,2025-01-02`
  await apply((await check('stretchers', staff)).id)
})
afterAll(() => server.stop())
const { check, apply, undo, rows } = importTesting(
  () => server,
  () => owner,
  importTargets,
)

/** Good, bad, repeated and known rows of each kind; then a row that changes a known record, where they can change. */
const files: Record<ImportResource, { head: string; good: string[]; bad: string[]; change?: string; table: string }> = {
  customers: {
    table: 'customers',
    head: 'ID,First name,Last name,Email,Referrer ID',
    good: ['k-1,Kim,Lee,kim@example.com,', 'k-2,Lou,May,lou@example.com,k-1', 'c-2,Bo,Ek,bo@example.com,'],
    bad: ['k-3,,Nox,nox@example.com,', 'k-4,Ola,Poe,ola at example.com,', 'k-5,Pia,Quo,pia@example.com,k-3'],
    change: 'k-1,Kimberly,Lee,kim@example.com,',
  },
  bookings: {
    table: 'bookings',
    head: 'Booking ID,Customer ID,Staff ID,Zone,Starts,Ends,Status,Price',
    good: [
      'b-1,c-1,s-1,ZONE,2025-05-01 09:00,2025-05-01 10:00,completed,$95.00',
      'b-2,c-2,s-1,ZONE,2025-05-01 11:00,2025-05-01 12:00,completed,95',
    ],
    bad: [
      'b-3,c-1,s-1,ZONE,2025-05-01 09:30,2025-05-01 10:30,completed,95',
      'b-4,c-9,s-1,ZONE,2025-05-02 09:00,2025-05-02 10:00,completed,95',
      'b-5,c-1,s-1,ZONE,2025-05-02 10:00,2025-05-02 09:00,completed,95',
    ],
    change: 'b-1,c-1,s-1,ZONE,2025-05-01 09:00,2025-05-01 10:00,completed,120',
  },
  transactions: {
    table: 'customer_transactions',
    head: 'Transaction ID,Customer ID,Type,Amount,Credits,Created',
    good: ['t-1,c-1,credit purchase,$445.00,5,2025-05-01', 't-2,c-2,credit purchase,90,1,2025-05-01'],
    bad: [
      't-3,c-9,credit purchase,90,1,2025-05-01',
      't-4,c-1,credit purchase,-90,1,2025-05-01',
      't-5,c-1,refund,ten,,',
    ],
    change: 't-1,c-1,credit purchase,$440.00,5,2025-05-01',
  },
  credits: {
    table: 'customers',
    head: 'Credit ID,Customer ID,Change,Kind,Created',
    good: ['r-1,c-1,5,referral,2025-05-01', 'r-2,c-2,1,refund,2025-05-01'],
    bad: ['r-3,c-1,-5,referral,2025-05-01', 'r-4,c-9,1,refund,2025-05-01', 'r-5,c-1,many,refund,2025-05-01'],
  },
  stretchers: {
    table: 'stretchers',
    head: 'Stretcher ID,First name,Last name,Email,Zone,Status,Hired',
    good: [
      'x-1,Tess,Underhill,tess@example.com,ZONE,active,2025-01-02',
      's-1,Sam,Okafor,sam@example.com,ZONE,active,2025-01-02',
    ],
    bad: ['x-2,,Vale,vale@example.com,ZONE,active,2025-01-02', 'x-3,Wes,Xu,wes@example.com,999999,active,2025-01-02'],
    change: 'x-1,Tessa,Underhill,tess@example.com,ZONE,active,2025-01-02',
  },
  leads: {
    table: 'leads',
    head: 'Lead ID,First name,Last name,Email,Phone,Note',
    good: ['l-1,Yan,Zed,yan@example.com,(951) 555-0111,Hello', 'l-2,Zoe,Abel,zoe@example.com,,'],
    bad: ['l-3,,Bell,bell@example.com,,', 'l-4,Cal,Dorn,,,'],
    change: 'l-1,Yann,Zed,yan@example.com,(951) 555-0111,Hello',
  },
  businesses: {
    table: 'businesses',
    head: 'Business ID,Name,Custom path,Admin email,Zone,Location',
    good: [
      'f-1,Palm Bakery,palm-bakery,office@palm.example,ZONE,12 Palm Ave',
      'f-2,Orange Mill,orange-mill,a@b.example,ZONE,',
    ],
    bad: [
      'f-3,Bad Path,Not A Path,a@b.example,ZONE,',
      'f-4,No Zone,no-zone,a@b.example,999999,',
      'f-5,,x-y,a@b.example,ZONE,',
    ],
    change: 'f-1,Palm Bakery,palm-bakery,desk@palm.example,ZONE,12 Palm Ave',
  },
  'allowed-emails': {
    table: 'business_emails',
    head: 'Business,Email',
    good: ['citrus-works,one@citrus.example', 'citrus-works,two@citrus.example'],
    bad: ['nowhere,one@citrus.example', 'citrus-works,no address'],
  },
  tickets: {
    table: 'tickets',
    head: 'Ticket ID,Customer email,Subject,Status,Message,Message sent',
    good: [
      'q-1,ada@example.com,Sore back,closed,It hurts,2025-05-01 09:00',
      'q-1,ada@example.com,Sore back,closed,Still,2025-05-01 10:00',
      'q-2,bo@example.com,Invoice,closed,Where is it?,2025-05-02 09:00',
    ],
    bad: [
      'q-3,ada@example.com,,closed,No subject,2025-05-01 09:00',
      'q-4,ada@example.com,Later,closed,Hi,2099-05-01 09:00',
    ],
    change: 'q-2,bo@example.com,Invoice 12,closed,Where is it?,2025-05-02 09:00',
  },
  'payroll/history': {
    table: 'workers',
    head: 'Check number,Work email,Type,Gross pay,Withheld,Employer taxes,Work date,Pay date',
    good: [
      'p-1,paid@example.com,session,"$1,200.00",200,90,2026-05-01,2026-05-08',
      'p-2,paid@example.com,session,100,10,8,2026-05-02,2026-05-08',
    ],
    bad: [
      'p-3,nobody@example.com,session,100,10,8,2026-05-02,2026-05-08',
      'p-4,paid@example.com,session,100,200,8,2026-05-02,2026-05-08',
      'p-5,paid@example.com,session,100,10,8,2026-05-09,2026-05-08',
    ],
  },
}

/** Whether an undo leaves less than before: ledgers keep their entries. */
const countRows = async (table: string) => {
  const { rows: found } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
    server.db,
  )
  return found[0]?.count
}
const balances = async () => (await sql`select id, credits from customers order by id`.execute(server.db)).rows

describe.each(importResources)('an import of %s', (resource) => {
  const { head, good, bad, change, table } = files[resource]
  const fill = (...lines: string[]) => [head, ...lines].join('\n').replaceAll('ZONE', String(zone))

  it('does what its check planned, is unchanged when repeated, and can be undone', async () => {
    const [before, credits] = [await countRows(table), await balances()]
    const [first = ''] = good
    const lines = [...good, ...bad, ...(resource === 'tickets' ? [] : [first])]
    const planned = await check(resource, fill(...lines))
    const { create, update, unchanged, skipped, rejected } = planned.counts
    expect({ rejected, skipped }, JSON.stringify(await rows(planned.id))).toEqual({
      rejected: bad.length,
      skipped: resource === 'tickets' ? 0 : 1,
    })
    expect(create).toBeGreaterThan(0)
    expect(create + update + unchanged).toBe(resource === 'tickets' ? 2 : good.length)
    const applied = await apply(planned.id)
    expect(applied.counts, JSON.stringify(await rows(planned.id))).toMatchObject({
      created: create,
      updated: update,
      changed_since: 0,
    })
    const again = await check(resource, fill(...lines, ''))
    expect(again.counts).toMatchObject({
      create: 0,
      update: 0,
      unchanged: create + update + unchanged,
      rejected: bad.length,
    })
    if (change) {
      const next = await check(resource, fill(change))
      expect(next.counts, JSON.stringify(await rows(next.id))).toMatchObject({ update: 1 })
      const changed = await apply(next.id)
      expect(changed.counts).toMatchObject({ updated: 1, changed_since: 0 })
      expect((await undo(next.id)).counts, JSON.stringify(await rows(next.id))).toMatchObject({ undone: 1, kept: 0 })
      // The first import's records are as it left them, but were touched: they would be kept.
      const third = await check(resource, fill(...lines))
      expect(third.counts).toMatchObject({ create: 0, update: 0 })
    }
    const touched = change ? 1 : 0
    const preview = await owner.send(previewUndo, { params: { id: String(planned.id) } })
    expect(preview.body).toEqual({ removed: create - touched, restored: update, kept: touched })
    const undone = await undo(planned.id)
    expect(undone.counts, JSON.stringify(await rows(planned.id))).toMatchObject({
      undone: create + update - touched,
      kept: touched,
    })
    if (!change) expect(await countRows(table)).toBe(before)
    expect(await balances()).toEqual(expect.arrayContaining(credits))
  })
})

it('finds zones by their names, and columns with names before those with ids', async () => {
  const { name } = await makeZone(server.db, { name: 'Casa Blanca' })
  const head = 'ID,Name,Custom path,Admin email,Zone ID,Zone'
  const planned = await check(
    'businesses',
    [head, 'z-1,Near,near,a@b.example,7,casa blanca', 'z-2,Far,far,a@b.example,7,Nowhere'].join('\n'),
  )
  expect(planned.counts).toMatchObject({ create: 1, rejected: 1 })
  expect((await rows(planned.id, { state: 'rejected' }))[0]).toMatchObject({
    detail: 'Zone is not the name of a zone.',
  })
  await apply(planned.id)
  const { zone } = await server.db
    .selectFrom('businesses as b')
    .innerJoin('zones as z', 'z.id', 'b.zone_id')
    .select('z.name as zone')
    .where('b.custom_path', '=', 'near')
    .executeTakeFirstOrThrow()
  expect(zone).toBe(name)
})

it('counts the credits of all rows before, also those of earlier batches', async () => {
  const added = Array.from({ length: 600 }, (_, n) => `add-${n},c-1,1,referral,,2025-05-01`)
  const taken = ['take-1,c-1,-600,removal,Moved,2025-05-02', 'take-2,c-1,-600,removal,Moved,2025-05-02']
  const head = 'Credit ID,Customer ID,Change,Kind,grant_reason,Created'
  const planned = await check('credits', [head, ...added, ...taken].join('\n'))
  expect(planned.counts).toMatchObject({ create: 601, rejected: 1 })
})

it('gives new leads the status they had, and leaves that of known ones to staff', async () => {
  const head = 'ID,First name,Email,Status,Created,Lost reason'
  const line = (status: string) => `old-1,Ira,ira@example.com,${status},2025-05-01,Too far`
  const planned = await check(
    'leads',
    [head, line('Not interested'), 'old-2,Jo,jo@example.com,new,2099-01-01,'].join('\n'),
  )
  expect(planned.counts).toMatchObject({ create: 1, rejected: 1 })
  await apply(planned.id)
  const lead = () =>
    server.db
      .selectFrom('leads')
      .select(['status', 'lost_reason', 'created_at'])
      .where('email', '=', 'ira@example.com')
      .executeTakeFirst()
  expect(await lead()).toEqual({
    status: 'not_interested',
    lost_reason: 'Too far',
    created_at: new Date('2025-05-01T07:00:00Z'),
  })
  expect((await check('leads', [head, line('new')].join('\n'))).counts).toMatchObject({ unchanged: 1 })
  expect((await undo(planned.id)).counts).toMatchObject({ undone: 1, kept: 0 })
  expect(await lead()).toBeUndefined()
})

it('makes no wages from completed bookings, unless people are told', async () => {
  const { head, good } = files.bookings
  const content = (id: string, day: string) =>
    [head, (good[0] ?? '').replaceAll('2025-05-01', day).replace('b-1', id).replace('ZONE', String(zone))].join('\n')
  const wages = async () =>
    (await sql`select makes_wages from bookings order by id desc limit 1`.execute(server.db)).rows[0]
  await apply((await check('bookings', content('w-1', '2025-06-01'))).id)
  expect(await wages()).toEqual({ makes_wages: false })
  await apply((await check('bookings', content('w-2', '2025-06-02'))).id, true)
  expect(await wages()).toEqual({ makes_wages: true })
})

it('schedules nobody without a required certification, also when it is undone', async () => {
  const { head } = files.bookings
  const type = await makeCertificationType(server.db, { is_required: true })
  const { customer_id } = await server.db
    .selectFrom('stretchers')
    .select('customer_id')
    .where('email', '=', 'sam@example.com')
    .executeTakeFirstOrThrow()
  const { id } = await makeCertification(server.db, { customer_id, type_id: type.id, valid_until: null })
  const day = '2027-03-01'
  const line = (status: string) => `f-1,c-1,s-1,${zone},${day} 09:00,${day} 10:00,${status},95`
  await apply((await check('bookings', [head, line('confirmed')].join('\n'))).id)
  const canceled = await check('bookings', [head, line('cancelled')].join('\n'))
  await apply(canceled.id)
  await server.db.updateTable('certifications').set({ valid_until: '2027-02-28' }).where('id', '=', id).execute()
  expect((await check('bookings', [head, line('confirmed')].join('\n'))).counts).toMatchObject({ rejected: 1 })
  expect((await undo(canceled.id)).counts).toMatchObject({ undone: 0, kept: 1 })
  expect(JSON.stringify(await rows(canceled.id))).toContain('lacks a required certification on that day')
  await server.db.updateTable('certification_types').set({ is_required: false }).where('id', '=', type.id).execute()
})
