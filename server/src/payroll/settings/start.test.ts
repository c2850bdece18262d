import { addEntry, listUnpaidSessions } from '@limber/contract/payroll/entries/entry.ts'
import { changeSettings, readSettings } from '@limber/contract/payroll/settings/settings.ts'
import { bookingCalls } from '@limber/contract/support/sync/booking-sync.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { makeBlock, makeBusiness, makeSession } from '#businesses/business/business.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { createSessionEntries } from '../entries/pay-sessions.ts'
import { makePeriod } from '../payroll.factory.ts'
import { payrollStartProbe } from './start.probe.ts'

let server: TestServer
let stretcher_id: number
let zone_id: number
beforeEach(async () => {
  server = await startTestServer()
  zone_id = (await makeZone(server.db, { time_zone: 'America/Los_Angeles' })).id
  stretcher_id = (await makeStretcher(server.db, { zone_id })).id
})
afterEach(() => server.stop())

const read = async () => (await server.as('payroll.settings').send(readSettings)).body
const change = (body: object) => server.asSteppedUp('payroll.settings').send(changeSettings, { body: body as never })
const pay = () => createSessionEntries(server.running.services)
const paidDays = async () => {
  const rows = await server.db.selectFrom('payroll_entries').select('work_date').orderBy('work_date').execute()
  return rows.map(({ work_date }) => work_date)
}

/** A completed booking at 17:00 UTC, unless a time is given. */
const complete = (day: string, time = '17:00:00Z') =>
  makeBooking(server.db, { stretcher_id, status: 'completed', starts_at: new Date(`${day}T${time}`) })

async function arrive(day: string, at: string, source = 'app') {
  const { id } = await complete(day)
  await addRef(id, at, source)
  return id
}
const addRef = (id: number, at: string, source: string) =>
  sql`insert into external_refs (source, resource, external_id, record_id, created_at)
    values (${source}, 'bookings', ${`b-${id}`}, ${id}, ${at}::timestamptz)`.execute(server.db)

describe('starts_on of PATCH /api/payroll/settings', () => {
  it('is not set at first, and all sessions make wages', async () => {
    expect(await read()).toMatchObject({ starts_on: null, start_changes: [], late_bookings: 0 })
    await complete('2025-03-04')
    await complete('2026-11-10')
    expect(await pay()).toEqual({ booked: 2 })
  })

  it('leaves out bookings and on-site sessions before the day, in the time zone of the session', async () => {
    expect((await change({ onsiteHourlyPay: 30 })).status).toBe(200)
    await sql`insert into payroll_settings (effective_from, base_pay, tax_rate, pay_frequency, ui_rate, onsite_hourly_pay, changed_at)
      values ('2026-01-01', 40, 0.18, 'biweekly', 0.034, 30, now())`.execute(server.db)
    const business = await makeBusiness(server.db, { zone_id })
    for (const starts_at of ['2026-11-08T17:00:00Z', '2026-11-10T17:00:00Z']) {
      const { id: block_id } = await makeBlock(server.db, { business_id: business.id, block_hours: 2 })
      await makeSession(server.db, { block_id, stretcher_id, starts_at: new Date(starts_at) })
    }
    const { body } = await change({ starts_on: '2026-11-09' })
    expect(body.starts_on).toBe('2026-11-09')
    await complete('2026-11-08')
    // Still November 8 in Los Angeles.
    await complete('2026-11-09', '06:30:00Z')
    await complete('2026-11-09', '08:01:00Z')
    expect(await pay()).toEqual({ booked: 2 })
    expect(await paidDays()).toEqual(['2026-11-09', '2026-11-10'])
  })

  it('does not touch entries that exist', async () => {
    await complete('2026-10-05')
    await pay()
    const before = await server.db.selectFrom('payroll_entries').selectAll().execute()
    await change({ starts_on: '2026-11-01' })
    await pay()
    expect(await server.db.selectFrom('payroll_entries').selectAll().execute()).toEqual(before)
  })

  it('pays sessions since the day when it is moved back, and all when it is cleared', async () => {
    await change({ starts_on: '2026-11-01' })
    await complete('2026-10-05')
    await complete('2026-09-07')
    expect(await pay()).toEqual({ booked: 0 })
    await change({ starts_on: '2026-10-01' })
    expect(await pay()).toEqual({ booked: 1 })
    expect((await change({ starts_on: null })).body).toMatchObject({ starts_on: null })
    expect(await pay()).toEqual({ booked: 1 })
  })

  it('changes alone without a new row of settings, and shares their version', async () => {
    const before = await read()
    const { body } = await change({ starts_on: '2026-01-01', version: before.version })
    expect(body.history).toEqual(before.history)
    expect(body.version).toBeGreaterThan(before.version)
    expect(body.start_changes).toMatchObject([{ starts_on: '2026-01-01', version: body.version }])
    const stale = await change({ starts_on: '2026-02-01', version: before.version })
    expect([stale.status, stale.failure.code]).toEqual([409, 'stale'])
    expect((await change({ basePay: 41, version: before.version })).status).toBe(409)
    const both = await change({ starts_on: '2026-02-01', basePay: 41, version: body.version })
    expect(both.body).toMatchObject({ starts_on: '2026-02-01', basePay: 41 })
    expect((await change({ starts_on: '2026-02-01' })).body.version).toBe(both.body.version)
    const log = await server.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'payroll.start_changed')
      .orderBy('id')
      .execute()
    expect(log).toEqual([
      { before: { starts_on: null }, after: { starts_on: '2026-01-01' } },
      { before: { starts_on: '2026-01-01' }, after: { starts_on: '2026-02-01' } },
    ])
  })

  it('may lie up to one year ahead', async () => {
    expect((await change({ starts_on: '2027-01-01' })).status).toBe(200)
    await complete('2026-11-10')
    expect(await pay()).toEqual({ booked: 0 })
  })

  it.each([
    ['1999-12-31', 422],
    ['2028-01-01', 422],
    ['2026-02-30', 400],
    ['soon', 400],
    [20_260_101, 400],
  ])('rejects %s', async (starts_on, status) => {
    expect((await change({ starts_on })).status).toBe(status)
    expect((await read()).starts_on).toBeNull()
  })

  it('requires the passkey and the permission', async () => {
    const body = { starts_on: '2026-01-01' }
    const reply = await server.as('payroll.settings').send(changeSettings, { body })
    expect([reply.status, reply.failure.code]).toEqual([403, 'step_up_required'])
    expect((await server.asSteppedUp('payroll.details').send(changeSettings, { body })).status).toBe(403)
  })

  it('keeps its changes: rows are never changed', async () => {
    await change({ starts_on: '2026-01-01' })
    await expect(sql`update payroll_starts set starts_on = null`.execute(server.db)).rejects.toThrow()
    await expect(sql`delete from payroll_starts`.execute(server.db)).rejects.toThrow()
  })

  it('offers no earlier session for pay, and refuses one', async () => {
    const { id } = await complete('2026-10-05')
    await complete('2026-11-10')
    await change({ starts_on: '2026-11-01' })
    await pay()
    const earner = await server.db.selectFrom('earners').select('id').executeTakeFirstOrThrow()
    const clerk = server.asSteppedUp('payroll.details')
    const { body } = await clerk.send(listUnpaidSessions, { params: { id: String(earner.id) } })
    expect(body.sessions).toEqual([])
    const reply = await clerk.send(addEntry, {
      body: { earner_id: earner.id, type: 'session', amount: 40, session: { kind: 'booking', id } },
    })
    expect([reply.status, reply.failure.code]).toEqual([422, 'before_start'])
    expect(reply.failure.error).toContain('Nov 1, 2026')
  })
})

describe('bookings that another system sends', () => {
  it('make wages when they arrive before their pay date', async () => {
    await arrive('2026-11-10', '2026-11-10T19:00:00Z')
    // Paid on November 13: Limber knew it on that day.
    await arrive('2026-11-03', '2026-11-13T19:00:00Z')
    expect(await pay()).toEqual({ booked: 2 })
  })

  it('make no wages when a program sends a year of them, unless they are recent', async () => {
    const program = await asProgram(server)
    const { id: customer } = await makeCustomer(server.db)
    const items = ['2025-12-08', '2026-04-07', '2026-08-04', '2026-11-12'].map((day, n) => ({
      external_id: `b-${n}`,
      customer: { id: customer },
      stretcher: { id: stretcher_id },
      zone_id,
      starts_at: `${day}T18:00:00Z`,
      ends_at: `${day}T19:00:00Z`,
      status: 'completed',
      price: '99.00',
      created_at: `${day}T01:00:00Z`,
    }))
    const { body, text } = await program.send(bookingCalls.batch, { body: { items } })
    expect(body.created, text).toBe(4)
    expect(await pay()).toEqual({ booked: 1, late: 3 })
    expect(await paidDays()).toEqual(['2026-11-12'])
  })

  it('make no wages when they arrive after their pay date and no start is set', async () => {
    for (const month of ['01', '03', '05', '07', '09']) await arrive(`2026-${month}-05`, '2026-11-16T16:00:00Z')
    await arrive('2026-11-10', '2026-11-16T16:00:00Z')
    expect(await pay()).toEqual({ booked: 1, late: 5 })
    expect(await paidDays()).toEqual(['2026-11-10'])
    const earner = await server.db.selectFrom('earners').select('id').executeTakeFirstOrThrow()
    const { body } = await server.as('payroll.details').send(listUnpaidSessions, { params: { id: String(earner.id) } })
    expect(body.sessions).toHaveLength(5)
  })

  it('create no pay period and no earner when all are old', async () => {
    await arrive('2026-01-05', '2026-11-16T16:00:00Z')
    expect(await pay()).toEqual({ booked: 0, late: 1 })
    expect(await server.db.selectFrom('pay_periods').select('id').execute()).toEqual([])
    expect(await server.db.selectFrom('earners').select('id').execute()).toEqual([])
  })

  it('make no wages when their period was closed before they arrived', async () => {
    const { id } = await makePeriod(server.db, '2026-11-03')
    await server.db
      .updateTable('pay_periods')
      .set({ closed_at: new Date('2026-11-10T00:00:00Z') })
      .where('id', '=', id)
      .execute()
    await arrive('2026-11-03', '2026-11-11T00:00:00Z')
    await arrive('2026-11-04', '2026-11-09T00:00:00Z')
    expect(await pay()).toEqual({ booked: 1, late: 1 })
    expect(await paidDays()).toEqual(['2026-11-04'])
  })

  it('make wages from the start on, once it is set', async () => {
    await arrive('2026-03-05', '2026-11-16T16:00:00Z')
    await arrive('2026-09-05', '2026-11-16T16:00:00Z')
    await change({ starts_on: '2026-09-01' })
    expect(await pay()).toEqual({ booked: 1 })
    expect(await paidDays()).toEqual(['2026-09-05'])
  })

  it('count from the first system that sent them', async () => {
    const id = await arrive('2026-10-05', '2026-10-06T00:00:00Z')
    await addRef(id, '2026-11-16T00:00:00Z', 'crm')
    expect(await pay()).toEqual({ booked: 1 })
  })

  it('show on the settings and in System health until the start is set', async () => {
    const { services } = server.running
    expect(await payrollStartProbe.check(services)).toMatchObject({ status: 'ok' })
    await sql`insert into schedules (name, title, cron, zone, next_run_at) values ('payroll-sessions', 'x', '20 * * * *', 'UTC', now())
      on conflict do nothing`.execute(server.db)
    await sql`insert into schedule_runs (schedule, due_at, trigger, state, started_at, ended_at, result)
      values ('payroll-sessions', now(), 'schedule', 'done', now(), now(), '{"booked": 0, "late": 412}')`.execute(
      server.db,
    )
    expect((await read()).late_bookings).toBe(412)
    expect(await payrollStartProbe.check(services)).toMatchObject({
      status: 'warning',
      summary: expect.stringContaining('412 bookings arrived after the pay date'),
    })
    expect((await change({ starts_on: '2026-11-01' })).body.late_bookings).toBe(0)
    expect(await payrollStartProbe.check(services)).toMatchObject({
      status: 'ok',
      summary: 'Sessions since Nov 1, 2026 are paid.',
    })
  })
})
