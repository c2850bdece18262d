import { runAudit } from '@limber/contract/payroll/audit/audit.ts'
import { addEntry, cancelEntry } from '@limber/contract/payroll/entries/entry.ts'
import { listDetails } from '@limber/contract/payroll/lists/detail.ts'
import { listTransactions } from '@limber/contract/payroll/lists/transaction.ts'
import { EntryType } from '@limber/contract/payroll/values.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeEarner } from '../payroll.factory.ts'
import { createSessionEntries, runPayroll } from './pay-sessions.ts'

let server: TestServer
let earner_id: number
beforeAll(async () => {
  server = await startTestServer()
  earner_id = (await makeEarner(server.db)).id
})
afterAll(() => server.stop())

const clerk = () => server.asSteppedUp('payroll.details')
const byHand = EntryType.exclude(['session']).options
const draft = { type: 'bonus', amount: 100, work_date: '2026-11-12' } as const
const add = (change: object = {}) => clerk().send(addEntry, { body: { earner_id, ...draft, ...change } as never })
const cancel = (id: number) =>
  clerk().send(cancelEntry, { params: { id: String(id) }, body: { reason: 'Entered twice' } })

describe('POST /api/payroll/details', () => {
  it('taxes wages at the provisional rate of the work date, but not mileage and expenses', async () => {
    for (const type of byHand) {
      const reply = await add({ type, sub_type: 'Referral' })
      expect(reply.status, reply.text).toBe(200)
      const isTaxed = type !== 'mileage' && type !== 'expense_reimbursement'
      expect(reply.body).toMatchObject({
        ...{ earner_id, type, sub_type: 'Referral', amount: 100, status: 'pending', booking_id: null },
        ...{ work_date: '2026-11-12', pay_date: '2026-11-27' },
        ...{ withheld_tax: isTaxed ? 18 : 0, employer_tax: isTaxed ? 7.65 : 0, net_pay: isTaxed ? 82 : 100 },
      })
    }
    const log = await server.db
      .selectFrom('audit_log')
      .select('after')
      .where('action', '=', 'payroll.entry_added')
      .execute()
    expect(log).toHaveLength(byHand.length)
    // No amounts: the audit log is open to people who may not see pay.
    expect(log[0]?.after).toEqual({ earner_id, type: 'bonus', sub_type: 'Referral', work_date: '2026-11-12' })
  })

  it('puts a late entry into the current period', async () => {
    expect((await add({ work_date: '2026-09-01' })).body).toMatchObject({ pay_date: '2026-11-27' })
  })

  it.each([
    ['session pay without a session', { type: 'session', work_date: undefined }, 400],
    ['a bonus for a session', { session: { kind: 'onsite', id: 1 } }, 400],
    ['a bonus without a work date', { work_date: undefined }, 400],
    ['an amount of zero', { amount: 0 }, 400],
    ['a negative amount', { amount: -5 }, 400],
    ['more than four decimals', { amount: 1.000_01 }, 400],
    ['an amount above the limit', { amount: 100_001 }, 400],
    ['a tax amount', { withheld_tax: 0 }, 400],
    ['an unknown earner', { earner_id: 987_654 }, 404],
    ['a future work date', { work_date: '2026-11-17' }, 422],
    ['a work date before the first settings', { work_date: '1990-01-01' }, 422],
  ])('rejects %s', async (_title, change, status) => {
    expect((await add(change)).status).toBe(status)
  })

  it('rejects pay in a year without tax tables and creates no period', async () => {
    const { clock, db } = server
    clock.set('2026-12-22T17:00:00Z')
    const reply = await add({ work_date: '2026-12-21' })
    expect([reply.status, reply.failure.code]).toEqual([422, 'no_tables'])
    expect(reply.failure.error).toContain('2027')
    const made = await db.selectFrom('pay_periods').select('id').where('pay_date', '>', '2026-12-31').execute()
    expect(made).toEqual([])
    clock.set('2026-11-16T17:00:00Z')
  })

  it('requires a fresh passkey and the permission', async () => {
    const body = { earner_id, ...draft }
    expect((await server.as('payroll.details').send(addEntry, { body })).failure.code).toBe('step_up_required')
    expect((await server.asSteppedUp('payroll.summary').send(addEntry, { body })).status).toBe(403)
  })
})

describe('POST /api/payroll/details/:id/cancel', () => {
  it('cancels a pending manual entry once', async () => {
    const { body } = await add({ amount: 12_345 })
    expect((await cancel(body.id)).body).toMatchObject({ id: body.id, status: 'cancelled' })
    expect((await cancel(body.id)).failure.code).toBe('not_pending')
    expect((await cancel(987_654)).status).toBe(404)
    const query = { status: 'pending' as const, limit: '100' }
    const { details } = (await clerk().send(listDetails, { query })).body
    expect(details.map(({ id }) => id)).not.toContain(body.id)
  })

  it('rejects session pay', async () => {
    await makeBooking(server.db, { status: 'completed', starts_at: new Date('2026-11-12T17:00:00Z') })
    await createSessionEntries(server.running.services)
    const { details } = (await clerk().send(listDetails, { query: { type: 'session' } })).body
    expect((await cancel(details[0]?.id ?? 0)).failure.code).toBe('of_session')
  })
})

it('pays manual entries on the pay date as net pay or reimbursement, and audits them', async () => {
  const { clock, running } = server
  clock.set('2026-11-27T17:00:00Z')
  await runPayroll(running.services)
  const { body } = await server
    .as('payroll.transactions')
    .send(listTransactions, { query: { earner_id: String(earner_id) } })
  // Four kinds of wages and one late bonus at 82 each; mileage and an expense at 100.
  expect(body.transactions.map(({ transactionType, amount }) => [transactionType, amount]).toSorted()).toEqual([
    ['net_pay', 410],
    ['reimbursement', 200],
  ])
  const range = { startDate: '2026-11-27', endDate: '2026-11-27' }
  const audit = (await server.as('payroll.audit').send(runAudit, { body: range })).body
  const own = audit.discrepancies.filter((one) => one.earner_id === earner_id)
  expect(new Set(own.map(({ type }) => type))).not.toContain('mileage')
  expect(own.length).toBeGreaterThan(0)
})
