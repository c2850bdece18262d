import { companyDay } from '@limber/contract/kit/company.ts'
import { exportDetails, listDetails, readDetail } from '@limber/contract/payroll/lists/detail.ts'
import { readSummary } from '@limber/contract/payroll/lists/summary.ts'
import { exportTransactions, listTransactions, settleDeposit } from '@limber/contract/payroll/lists/transaction.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeEarner, makeEntry } from '../payroll.factory.ts'
import { findStart } from './paging.rules.ts'

let server: TestServer
let earnerId: number
const details = async (query: object = {}) =>
  (await server.as('payroll.details').send(listDetails, { query: query as never })).body
const transactions = async (query: object = {}) =>
  (await server.as('payroll.transactions').send(listTransactions, { query: query as never })).body

beforeAll(async () => {
  server = await startTestServer()
  const { db } = server
  earnerId = (await makeEarner(db)).id
  const other = await makeEarner(db, 'worker')
  for (let n = 0; n < 14; n++)
    await makeEntry(db, {
      earner_id: n % 2 ? other.id : earnerId,
      work_date: n < 7 ? '2026-10-27' : '2026-10-13',
      amount: String(100 + n),
      withheld: '10.0001',
      employer_tax: '7.65',
      type: n === 3 ? 'bonus' : 'session',
    })
  await makeEntry(db, { earner_id: earnerId, work_date: '2026-11-10', amount: '40', status: 'pending' })
  await makeEntry(db, {
    earner_id: earnerId,
    work_date: '2026-10-13',
    amount: '9.5',
    type: 'mileage',
    sub_type: '=cmd()',
  })
  for (let n = 0; n < 12; n++)
    await db
      .insertInto('payroll_transactions')
      .values({
        transaction_type: n % 3 ? 'net_pay' : 'tax_deposit',
        amount: String(10 + n),
        status: n === 5 ? 'failed' : 'completed',
        earner_id: n % 3 ? earnerId : null,
        pay_period_id: null,
        created_at: new Date(`2026-10-${String(10 + (n % 4)).padStart(2, '0')}T12:00:00Z`),
      })
      .execute()
})
afterAll(() => server.stop())

describe('GET /api/payroll/details', () => {
  it('returns ten per page, newest pay date first', async () => {
    const first = await details()
    expect(first.details).toHaveLength(10)
    expect(first.pagination).toEqual({ page: 1, limit: 10, totalItems: 16, totalPages: 2 })
    expect(first.details[0]).toMatchObject({
      earner_id: earnerId,
      type: 'session',
      sub_type: null,
      amount: 40,
      net_pay: 40,
      status: 'pending',
    })
    const all = [...first.details, ...(await details({ page: '2' })).details]
    expect(new Set(all.map(({ id }) => id)).size).toBe(16)
    expect(all.map(({ pay_date }) => pay_date)).toEqual(
      all
        .map(({ pay_date }) => pay_date)
        .toSorted()
        .reverse(),
    )
    expect((await details({ page: '9' })).details).toEqual([])
  })
  it.each(['date', 'amount', 'net_pay', 'withheld_tax', 'type', 'status', 'earner'])(
    'sorts by %s both ways',
    async (sort) => {
      const up = (await details({ sort, order: 'asc', limit: '100' })).details.map(({ id }) => id)
      const down = (await details({ sort, order: 'desc', limit: '100' })).details.map(({ id }) => id)
      expect(up).toHaveLength(16)
      expect(down).toEqual(up.toReversed())
    },
  )
  it('sorts earners by name, not by id', async () => {
    await sql`update stretchers set first_name = 'Zora' where id = (select stretcher_id from earners where id = ${earnerId})`.execute(
      server.db,
    )
    const names = (await details({ sort: 'earner', order: 'asc', limit: '100' })).details.map(
      ({ earner_name }) => earner_name,
    )
    expect(new Set(names).size).toBe(2)
    expect(names).toEqual(names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
  })
  it('filters and counts the matches', async () => {
    expect((await details({ type: 'bonus' })).pagination.totalItems).toBe(1)
    expect((await details({ status: 'pending' })).pagination.totalItems).toBe(1)
    expect((await details({ earner_id: String(earnerId) })).pagination.totalItems).toBe(9)
    expect((await details({ from: '2026-11-01', to: '2026-11-14' })).pagination.totalItems).toBe(7)
    const [first] = (await details({ limit: '100' })).details
    expect((await details({ period_id: String(first?.pay_period_id) })).pagination.totalItems).toBe(1)
  })
  it('returns totals of all matches on every page', async () => {
    const all = (await details({ limit: '100' })).details
    const sum = (rows: typeof all, key: 'amount' | 'withheld_tax' | 'net_pay') =>
      Math.round(rows.reduce((total, row) => total + row[key] * 10_000, 0)) / 10_000
    const sums = (rows: typeof all) => ({
      amount: sum(rows, 'amount'),
      withheld_tax: sum(rows, 'withheld_tax'),
      net_pay: sum(rows, 'net_pay'),
    })
    expect((await details({ page: '2' })).totals).toEqual(sums(all))
    const own = all.filter((row) => row.earner_id === earnerId && row.pay_period_id === all[1]?.pay_period_id)
    const period_id = String(all[1]?.pay_period_id)
    expect((await details({ earner_id: String(earnerId), period_id })).totals).toEqual(sums(own))
    expect((await details({ status: 'cancelled' })).totals).toEqual({ amount: 0, withheld_tax: 0, net_pay: 0 })
  })
  it.each([
    { page: '0' },
    { limit: '101' },
    { sort: 'name' },
    { order: 'up' },
    { from: '2026-02-31' },
    { type: 'gift' },
    { earner_id: 'x' },
    { q: '1' },
    { from: '2026-02-01', to: '2026-01-01' },
  ])('rejects %o', async (query) => {
    expect((await server.as('payroll.details').send(listDetails, { query: query as never })).status).toBe(400)
  })
  it('returns one entry by id, same as in the list', async () => {
    const [, , third] = (await details()).details
    const caller = server.as('payroll.details')
    const one = await caller.send(readDetail, { params: { id: String(third?.id) } })
    expect(one.body).toEqual({ ...third, customer_id: null })
    expect((await caller.send(readDetail, { params: { id: '987654' } })).failure.code).toBe('unknown')
    expect((await caller.send(readDetail, { params: { id: 'x' } })).status).toBe(400)
  })
  it('exports all matches as CSV with formulas escaped', async () => {
    const reply = await server.as('payroll.details').send(exportDetails, { query: {} })
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const lines = reply.text.trim().split('\r\n')
    expect(lines).toHaveLength(17)
    expect(lines[0]).toBe(
      'ID,Earner ID,Earner,Type,Subtype,Amount,Withheld tax,Employer tax,Net pay,Employee adjustment,Employer adjustment,Status,Work date,Pay date,Pay period ID,Period start,Period end,Period closed,Booking ID,On-site session ID,Void reason',
    )
    expect(reply.text).toContain("'=cmd()")
    expect(reply.text).toContain('100,10.0001,7.65,89.9999')
    const filtered = await server.as('payroll.details').send(exportDetails, { query: { type: 'bonus' } })
    expect(filtered.text.trim().split('\r\n')).toHaveLength(2)
  })
})

describe('GET /api/payroll/transactions', () => {
  it('returns ten per page, sorted and filtered', async () => {
    const first = await transactions()
    expect(first.transactions).toHaveLength(10)
    expect(first.pagination.totalItems).toBe(12)
    expect(first.transactions[0]).toMatchObject({ createdAt: '2026-10-13T12:00:00.000Z', amount: 21 })
    expect((await transactions({ type: 'tax_deposit' })).pagination.totalItems).toBe(4)
    expect((await transactions({ status: 'failed' })).transactions).toHaveLength(1)
    expect((await transactions({ from: '2026-10-11', to: '2026-10-12' })).pagination.totalItems).toBe(6)
    const own = await transactions({ earner_id: String(earnerId), from: '2026-10-11', status: 'completed' })
    expect(own.transactions.every(({ earner_id }) => earner_id === earnerId)).toBe(true)
    expect(own.pagination.totalItems).toBe(own.transactions.length)
    expect(own.transactions.length).toBeGreaterThan(3)
    const up = (await transactions({ sort: 'amount', order: 'asc' })).transactions.map(({ amount }) => amount)
    expect(up).toEqual(up.toSorted((a, b) => a - b))
    for (const order of ['asc', 'desc']) expect((await transactions({ order, page: '2' })).transactions).toHaveLength(2)
  })
  it("filters, pages and counts by days in the company's time zone", async () => {
    const late = await server.db
      .insertInto('payroll_transactions')
      .values({
        transaction_type: 'net_pay',
        amount: '7',
        status: 'completed',
        earner_id: earnerId,
        pay_period_id: null,
        // 11:30 PM on Mar 3 in California.
        created_at: new Date('2026-03-04T07:30:00Z'),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const earner of [{}, { earner_id: String(earnerId) }]) {
      const of = async (day: string) => {
        const { transactions: found, pagination } = await transactions({ ...earner, from: day, to: day })
        return { ids: found.map(({ id }) => id), total: pagination.totalItems }
      }
      expect(await of('2026-03-03')).toEqual({ ids: [late.id], total: 1 })
      expect(await of('2026-03-04')).toEqual({ ids: [], total: 0 })
    }
    const csv = async (day: string) =>
      (await server.as('payroll.transactions').send(exportTransactions, { query: { from: day, to: day } })).text
    expect(await csv('2026-03-03')).toContain(`\n${late.id},`)
    expect(await csv('2026-03-04')).not.toContain(`\n${late.id},`)
    const last = await transactions({ limit: '1', page: '13' })
    expect(last.transactions.map(({ id }) => id)).toEqual([late.id])
  })
  it('counts days in the same time zone as the contract', async () => {
    const moments = ['2026-03-08T09:59:59Z', '2026-03-08T10:00:00Z', '2026-07-04T06:59:59Z', '2026-12-31T08:00:00Z']
    for (const at of moments) {
      const { rows } = await sql<{ day: string }>`select company_day(${at}::timestamptz)::text as day`.execute(
        server.db,
      )
      expect(rows[0]?.day).toBe(companyDay(new Date(at)))
    }
  })
  it('exports as CSV', async () => {
    const { text } = await server
      .as('payroll.transactions')
      .send(exportTransactions, { query: { type: 'net_pay', from: '2026-10-01' } })
    expect(text.trim().split('\r\n')).toHaveLength(9)
  })
})

describe('POST /api/payroll/transactions/:id/settle', () => {
  const clerk = () => server.as('payroll.transactions')
  const settle = (id: number, status: 'completed' | 'failed', note?: string) =>
    clerk().send(settleDeposit, { params: { id: String(id) }, body: { status, ...(note && { note }) } })
  const make = async (transaction_type: 'tax_deposit' | 'net_pay') =>
    (
      await server.db
        .insertInto('payroll_transactions')
        .values({
          transaction_type,
          amount: '5',
          status: 'pending',
          earner_id: transaction_type === 'net_pay' ? earnerId : null,
          pay_period_id: null,
          created_at: new Date('2026-11-02T12:00:00Z'),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const counts = async () => {
    const day = { from: '2026-11-02', to: '2026-11-02' }
    const of = async (status: string) => (await transactions({ ...day, status })).pagination.totalItems
    return [await of('pending'), await of('failed'), await of('completed')]
  }

  it('records the outcome of a deposit and updates the counts', async () => {
    const id = await make('tax_deposit')
    expect(await counts()).toEqual([1, 0, 0])
    expect((await settle(id, 'failed', 'Account closed')).body.transaction).toMatchObject({ id, status: 'failed' })
    expect(await counts()).toEqual([0, 1, 0])
    expect((await settle(id, 'failed')).failure.code).toBe('settled')
    expect((await settle(id, 'completed', 'EFT 4711')).status).toBe(200)
    expect(await counts()).toEqual([0, 0, 1])
    for (const status of ['failed', 'completed'] as const)
      expect((await settle(id, status)).failure.code).toBe('settled')
    const log = await server.db
      .selectFrom('audit_log')
      .select(['action', 'reason'])
      .where('subject', '=', 'payroll_transaction')
      .orderBy('id')
      .execute()
    expect(log).toEqual([
      { action: 'payroll.deposit_failed', reason: 'Account closed' },
      { action: 'payroll.deposit_completed', reason: 'EFT 4711' },
    ])
  })

  it('changes open deposits only and requires the permission', async () => {
    const pay = await make('net_pay')
    const deposit = await make('tax_deposit')
    expect((await settle(pay, 'completed')).failure.code).toBe('no_deposit')
    expect((await settle(999_999, 'completed')).status).toBe(404)
    const params = { id: String(deposit) }
    const other = server.as('payroll.details', 'payroll.settings')
    expect((await other.send(settleDeposit, { params, body: { status: 'completed' } })).status).toBe(403)
    expect((await clerk().send(settleDeposit, { params, body: { status: 'pending' as never } })).status).toBe(400)
    await expect(
      sql`update payroll_transactions set status = 'completed' where id = ${pay}`.execute(server.db),
    ).rejects.toThrow('only the status of an unsettled tax deposit')
  })
})

describe('GET /api/payroll/summary', () => {
  it('adds up paid entries', async () => {
    const { body } = await server.as('payroll.summary').send(readSummary)
    expect(body).toMatchObject({
      totalEarnings: 1500.5,
      employeeTaxes: 140.0014,
      employerTaxes: 107.1,
      totalTaxes: 247.1014,
      netPay: 1360.4986,
      entries: 15,
      earners: 2,
      pending: { entries: 1, amount: 40 },
      nextPayDate: '2026-11-27',
    })
    expect(body.lastUpdated).not.toBeNull()
    const part = await server.as('payroll.summary').send(readSummary, { query: { from: '2026-11-01' } })
    expect(part.body.entries).toBe(7)
    const none = await server.as('payroll.summary').send(readSummary, { query: { from: '2027-01-01' } })
    expect(none.body).toMatchObject({ totalEarnings: 0, lastUpdated: null })
  })
})

it('requires the permission', async () => {
  const others = server.as('payroll.audit', 'payroll.settings', 'analytics.view')
  for (const call of [listDetails, readDetail, exportDetails, listTransactions, exportTransactions, readSummary]) {
    expect((await others.send(call)).status).toBe(403)
    expect((await server.anonymous().send(call)).status).toBe(401)
  }
})

describe('paid entries', () => {
  it.each([
    'update payroll_entries set withheld = 0',
    `update payroll_entries set status = 'cancelled'`,
    'delete from payroll_entries',
    'truncate payroll_entries cascade',
    'delete from payroll_transactions',
    'update payroll_settings set base_pay = 1',
    'delete from pay_periods',
  ])('are never changed: %s', async (statement) => {
    await expect(sql.raw(statement).execute(server.db)).rejects.toThrow(/never|append-only|only|permission denied/)
  })
  it('match the precomputed sums', async () => {
    const { rows } = await sql<{ same: boolean }>`
      select (select array_agg((entries, amount, withheld) order by pay_date, type, status) from payroll_totals where entries > 0)
        = (select array_agg((n, a, w) order by pay_date, type, status) from (select pay_date, type, status, count(*) n, sum(amount) a, sum(withheld) w
          from payroll_entries group by 1, 2, 3) e) as same`.execute(server.db)
    expect(rows[0]?.same).toBe(true)
  })
})

describe('list rules', () => {
  it('find the bucket of a page', () => {
    const buckets = [
      { key: 'c', rows: 3 },
      { key: 'b', rows: 0 },
      { key: 'a', rows: 5 },
    ]
    expect(findStart(buckets, 2)).toEqual({ key: 'c', skip: 2 })
    expect(findStart(buckets, 3)).toEqual({ key: 'a', skip: 0 })
    expect(findStart(buckets, 8)).toBeUndefined()
  })
})
