import { listEarners, readEarner, recordProfile } from '@limber/contract/payroll/earners/earner.ts'
import { closePeriod, listPeriods } from '@limber/contract/payroll/entries/period.ts'
import { changeSettings, readSettings } from '@limber/contract/payroll/settings/settings.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { createSessionEntries, runPayroll } from '../entries/pay-sessions.ts'
import { periodOf } from '../entries/period.rules.ts'
import { makeEarner, makeEntry } from '../payroll.factory.ts'
import { taxTablesProbe } from '../tax/tax-tables.probe.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const read = async () => (await server.as('payroll.settings').send(readSettings)).body
const change = (body: object) => server.asSteppedUp('payroll.settings').send(changeSettings, { body: body as never })

describe('PATCH /api/payroll/settings', () => {
  it('changes the given fields from today on and keeps the past', async () => {
    const before = await read()
    expect(before).toMatchObject({ basePay: 40, taxRate: 0.18, payFrequency: 'biweekly', uiRate: 0.034 })
    const reply = await change({ basePay: 42.5, taxRate: 0.195, version: before.version })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toMatchObject({ basePay: 42.5, taxRate: 0.195, uiRate: 0.034, effectiveFrom: '2026-11-16' })
    expect(reply.body.history).toHaveLength(2)
    expect(reply.body.history[1]).toMatchObject({ basePay: 40, taxRate: 0.18 })
    expect(reply.body.taxYears.map(({ year }) => year)).toEqual([2025, 2026])
    const stale = await change({ basePay: 1, version: before.version })
    expect(stale.status).toBe(409)
    expect(stale.failure.current).toMatchObject({ basePay: 42.5 })
    expect((await change({ basePay: 43 })).status).toBe(200)
  })
  it('schedules a change', async () => {
    const { body } = await change({ uiRate: 0.041, effectiveFrom: '2027-01-01' })
    expect(body.uiRate).toBe(0.034)
    expect(body.history[0]).toMatchObject({ uiRate: 0.041, effectiveFrom: '2027-01-01', basePay: 43 })
  })
  it('rejects a stale scheduled change, and shows which of two for a day applies', async () => {
    const { version } = await read()
    const first = await change({ basePay: 46, effectiveFrom: '2026-12-01', version })
    expect(first.status).toBe(200)
    const second = await change({ basePay: 47, effectiveFrom: '2026-12-01', version })
    expect([second.status, second.failure.code]).toEqual([409, 'stale'])
    const seen = first.body.version
    const { body } = await change({ basePay: 47, effectiveFrom: '2026-12-01', version: seen })
    const days = body.history.filter(({ effectiveFrom }) => effectiveFrom === '2026-12-01')
    expect(days.map(({ basePay, state }) => [basePay, state])).toEqual([
      [47, 'planned'],
      [46, 'replaced'],
    ])
    expect(body.history.filter(({ state }) => state === 'in_force')).toMatchObject([{ basePay: 43 }])
  })
  it('carries over to later scheduled changes, except for fields that they change', async () => {
    const { body } = await change({ basePay: 44, taxRate: 0.21, effectiveFrom: '2026-11-20' })
    const planned = body.history.filter(({ state }) => state === 'planned')
    expect(
      planned.map(({ effectiveFrom, basePay, taxRate, uiRate }) => [effectiveFrom, basePay, taxRate, uiRate]),
    ).toEqual([
      ['2027-01-01', 47, 0.21, 0.041],
      ['2026-12-01', 47, 0.21, 0.034],
      ['2026-11-20', 44, 0.21, 0.034],
    ])
    const { after } = await server.db
      .selectFrom('audit_log')
      .select('after')
      .where('action', '=', 'payroll.settings_changed')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(after).toMatchObject({ plans: [{ effective_from: '2026-12-01' }, { effective_from: '2027-01-01' }] })
  })
  it.each([
    [{ taxRate: -1 }, 400],
    [{ taxRate: 1.0001 }, 400],
    [{ taxRate: 1.5 }, 400],
    [{ taxRate: '0.1' }, 400],
    [{ taxRate: 1e-30 }, 400],
    [{ taxRate: 0.123_45 }, 400],
    [{ basePay: 40.123_456_789 }, 400],
    [{ basePay: -1 }, 400],
    [{ basePay: 1e9 }, 400],
    [{ uiRate: 1 }, 400],
    [{ payFrequency: 'hourly' }, 400],
    [{}, 400],
    [{ version: 1 }, 400],
    [{ basePay: 40, currency: 'EUR' }, 400],
    [{ basePay: 40, effectiveFrom: '2026-11-15' }, 422],
    [{ basePay: 40, effectiveFrom: '2029-01-01' }, 422],
    [{ basePay: 40, effectiveFrom: '2027-02-31' }, 400],
  ])('rejects %o', async (body, status) => {
    const before = await read()
    expect((await change(body)).status).toBe(status)
    expect(await read()).toEqual(before)
  })
  it('accepts a rate of 1', async () => {
    const reply = await change({ taxRate: 1, effectiveFrom: '2027-11-01' })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body.history[0]).toMatchObject({ taxRate: 1, effectiveFrom: '2027-11-01' })
  })
  it('rejects NaN', async () => {
    const caller = server.asSteppedUp('payroll.settings')
    expect((await caller.send(changeSettings, {}, { rawBody: '{"basePay":NaN}' })).status).toBe(400)
  })
  it('requires the passkey and the permission', async () => {
    const reply = await server.as('payroll.settings').send(changeSettings, { body: { basePay: 1 } })
    expect([reply.status, reply.failure.code]).toEqual([403, 'step_up_required'])
    const others = server.asSteppedUp('payroll.audit', 'payroll.details')
    expect((await others.send(changeSettings, { body: { basePay: 1 } })).status).toBe(403)
    expect((await others.send(readSettings)).status).toBe(403)
  })
})

describe('earners', () => {
  it('keep every tax profile; the latest one for a day applies', async () => {
    const { id } = await makeEarner(server.db, 'stretcher', { filing_status: 'single' })
    const clerk = server.as('payroll.settings')
    const params = { id: String(id) }
    const body = {
      filing_status: 'married_jointly' as const,
      effective_from: '2026-10-01',
      step3_credits: 2000,
      regular_allowances: 2,
    }
    const reply = await clerk.send(recordProfile, { params, body })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body.profile).toMatchObject({ filing_status: 'married_jointly', step3_credits: 2000, step4c_extra: 0 })
    expect(reply.body.history).toHaveLength(2)
    const again = await server.as('payroll.details').send(readEarner, { params })
    expect(again.body).toEqual(reply.body)
    const list = await server.as('payroll.audit').send(listEarners, { query: { search: 'okafor' } })
    expect(list.body.earners[0]).toMatchObject({ id, name: 'Sam Okafor', kind: 'stretcher' })
    for (const [wrong, status] of [
      [{ ...body, filing_status: 'widowed' }, 400],
      [{ ...body, step4c_extra: 0.005 }, 400],
      [{ ...body, regular_allowances: 100 }, 400],
      [{ ...body, effective_from: '1990-01-01' }, 422],
    ] as const)
      expect((await clerk.send(recordProfile, { params, body: wrong as never })).status).toBe(status)
    expect((await clerk.send(recordProfile, { params: { id: '999999' }, body })).status).toBe(404)
    expect((await server.as('payroll.details').send(recordProfile, { params, body })).status).toBe(403)
    expect((await server.as('payroll.settings').send(readEarner, { params })).status).toBe(403)
    expect((await server.as('payroll.audit').send(readEarner, { params: { id: '999999' } })).status).toBe(404)
  })
})

describe('sessions', () => {
  it('become entries once, at the base pay and rate of the work date, and are paid on the pay date', async () => {
    const { db, clock } = server
    const { services } = server.running
    const early = await makeBooking(db, { status: 'completed', starts_at: new Date('2026-11-15T17:00:00Z') })
    await makeBooking(db, { status: 'completed', starts_at: new Date('2026-11-16T15:00:00Z') })
    await makeBooking(db, { status: 'no_show', starts_at: new Date('2026-11-16T16:00:00Z') })
    expect(await createSessionEntries(services)).toEqual({ booked: 2 })
    expect(await createSessionEntries(services)).toEqual({ booked: 0 })
    const rows = await db
      .selectFrom('payroll_entries')
      .selectAll()
      .where('booking_id', 'is not', null)
      .orderBy('work_date')
      .execute()
    expect(rows[0]).toMatchObject({
      booking_id: early.id,
      amount: '40.0000',
      withheld: '7.2000',
      employer_tax: '3.0600',
      status: 'pending',
      work_date: '2026-11-15',
      pay_date: '2026-11-27',
    })
    expect(rows[1]).toMatchObject({ amount: '43.0000', withheld: '8.3850', work_date: '2026-11-16' })
    expect(await runPayroll(services)).toEqual({ paid: 0 })
    clock.set('2026-11-27T17:00:00Z')
    expect(await runPayroll(services)).toEqual({ paid: 2 })
    const out = await db.selectFrom('payroll_transactions').selectAll().orderBy('amount', 'desc').execute()
    expect(out.map(({ transaction_type, amount }) => [transaction_type, amount])).toEqual([
      ['net_pay', '34.6150'],
      ['net_pay', '32.8000'],
      ['tax_deposit', '21.9345'],
    ])
    const log = await db.selectFrom('audit_log').select(['call', 'action', 'after']).orderBy('id').execute()
    expect(log.filter(({ call }) => call.startsWith('schedule payroll'))).toEqual([
      { call: 'schedule payroll-sessions', action: 'payroll.sessions_booked', after: { booked: 2 } },
      { call: 'schedule payroll-pay-day', action: 'payroll.paid', after: { paid: 2 } },
    ])
  })

  it('go into the current period if very late, without creating a period for their day', async () => {
    const { db, running } = server
    const late = await makeBooking(db, { status: 'completed', starts_at: new Date('2025-03-03T17:00:00Z') })
    expect(await createSessionEntries(running.services)).toEqual({ booked: 1 })
    const rows = await db
      .selectFrom('payroll_entries')
      .select(['work_date', 'pay_date'])
      .where('booking_id', '=', late.id)
      .execute()
    expect(rows).toEqual([{ work_date: '2025-03-03', pay_date: '2026-12-11' }])
    const old = await db.selectFrom('pay_periods').select('id').where('starts_on', '<', '2025-04-01').execute()
    expect(old).toEqual([])
  })

  it('wait if their pay year has no tax tables, without blocking others, and System health warns in advance', async () => {
    const { db, clock, running } = server
    const probe = () => taxTablesProbe.check(running.services)
    clock.set('2026-11-16T17:00:00Z')
    expect((await probe()).status).toBe('ok')
    clock.set('2026-12-08T17:00:00Z')
    expect(await probe()).toMatchObject({
      status: 'warning',
      summary:
        'There are no tax tables for 2027. Sessions from Dec 21, 2026 on cannot be paid. Update Limber to a version with these tables.',
    })
    clock.set('2026-12-22T17:00:00Z')
    const waits = await makeBooking(db, { status: 'completed', starts_at: new Date('2026-12-21T18:00:00Z') })
    const goes = await makeBooking(db, { status: 'completed', starts_at: new Date('2026-12-20T18:00:00Z') })
    expect(await createSessionEntries(running.services)).toEqual({ booked: 1, waiting: 1, missingYears: [2027] })
    const rows = await db
      .selectFrom('payroll_entries')
      .select(['booking_id', 'pay_date'])
      .where('booking_id', 'in', [waits.id, goes.id])
      .execute()
    expect(rows).toEqual([{ booking_id: goes.id, pay_date: '2026-12-25' }])
    expect(await probe()).toMatchObject({ status: 'down', summary: expect.stringContaining('1 session is waiting') })
    clock.set('2026-11-16T17:00:00Z')
  })
})

describe('pay periods', () => {
  it('close once, on or after the pay date and without pending entries', async () => {
    const { db, clock } = server
    clock.set('2026-11-16T17:00:00Z')
    const { id } = await makeEarner(db)
    const old = await makeEntry(db, { earner_id: id, work_date: '2026-09-07' })
    const open = await makeEntry(db, { earner_id: id, work_date: '2026-09-21', status: 'pending' })
    const caller = server.as('payroll.audit')
    const close = (period_id: number, version?: number) =>
      caller.send(closePeriod, { body: { period_id, ...(version !== undefined && { version }) } })
    expect((await close(999_999)).status).toBe(404)
    expect((await close(open.pay_period_id)).failure.code).toBe('has_pending')
    expect((await close(old.pay_period_id, 7)).failure.code).toBe('stale')
    expect((await close(old.pay_period_id, 1)).body).toMatchObject({ status: 'closed', version: 2, entries: 1 })
    expect((await close(old.pay_period_id)).failure.code).toBe('already_closed')
    const later = await makeEntry(db, { earner_id: id, work_date: '2026-11-16', status: 'pending' })
    expect((await close(later.pay_period_id)).failure.code).toBe('not_over')
    await expect(makeEntry(db, { earner_id: id, work_date: '2026-09-08' })).rejects.toThrow('closed')
    const list = await server.as('payroll.details').send(listPeriods)
    expect(list.body.periods.find((period) => period.id === old.pay_period_id)?.status).toBe('closed')
    expect((await server.as('payroll.details').send(closePeriod, { body: { period_id: 1 } })).status).toBe(403)
    expect((await server.as('payroll.summary').send(listPeriods)).status).toBe(403)
  })
  it('cannot be reopened, changed or deleted after closing, even in SQL', async () => {
    const { db } = server
    const { pay_period_id } = await makeEntry(db, { earner_id: (await makeEarner(db)).id, work_date: '2026-08-10' })
    await db.updateTable('pay_periods').set({ closed_at: server.clock.now() }).where('id', '=', pay_period_id).execute()
    for (const change of [sql`set closed_at = null`, sql`set pay_date = pay_date + 1`, sql`set version = version + 1`])
      await expect(sql`update pay_periods ${change} where id = ${pay_period_id}`.execute(db)).rejects.toThrow(
        'only ever closed',
      )
    await expect(sql`delete from pay_periods where id = ${pay_period_id}`.execute(db)).rejects.toThrow(
      'only ever closed',
    )
  })
  it.each([
    ['biweekly', '2026-11-08', '2026-10-26', '2026-11-08', '2026-11-13'],
    ['weekly', '2026-11-09', '2026-11-09', '2026-11-15', '2026-11-20'],
    ['semimonthly', '2028-02-29', '2028-02-16', '2028-02-29', '2028-03-05'],
    ['semimonthly', '2026-11-15', '2026-11-01', '2026-11-15', '2026-11-20'],
    ['monthly', '2026-12-31', '2026-12-01', '2026-12-31', '2027-01-05'],
  ] as const)('find the %s period of %s', (frequency, day, starts_on, ends_on, pay_date) => {
    expect(periodOf(day, frequency)).toEqual({ starts_on, ends_on, pay_date })
  })
})
