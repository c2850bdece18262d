// @module-tag slow
import { markNotHeld } from '@limber/contract/businesses/sessions/onsite.ts'
import { parseMoney, stringifyMoney } from '@limber/contract/kit/money.ts'
import { fixDiscrepancies, listAdjustments, runAudit, undoFix } from '@limber/contract/payroll/audit/audit.ts'
import { explainEntry } from '@limber/contract/payroll/audit/explanation.ts'
import { readEarner } from '@limber/contract/payroll/earners/earner.ts'
import { readDetail } from '@limber/contract/payroll/lists/detail.ts'
import { readSummary } from '@limber/contract/payroll/lists/summary.ts'
import { listTransactions } from '@limber/contract/payroll/lists/transaction.ts'
import { readDollars } from '@limber/contract/payroll/values.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeBlock, makeBusiness, makeSession } from '#businesses/business/business.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { DAY, HOUR, shift } from '#platform/clock.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { runPayroll } from '../entries/pay-sessions.ts'
import { dayOf, periodOf } from '../entries/period.rules.ts'
import { makeEarner, makeEntry } from '../payroll.factory.ts'
import { type Due, type PaidGroup, planRun } from './pay-run.rules.ts'

let server: TestServer
let zone_id: number
beforeAll(async () => {
  server = await startTestServer()
  zone_id = (await makeZone(server.db)).id
})
afterAll(() => server.stop())

const YEAR = { startDate: '2026-01-01', endDate: '2026-12-31' }
const auditor = () => server.asSteppedUp('payroll.audit')
const audit = async () => (await auditor().send(runAudit, { body: YEAR })).body
const pay = () => runPayroll(server.running.services)
const summary = async () => (await server.as('payroll.summary').send(readSummary)).body
const undo = (operation_id: number) => auditor().send(undoFix, { body: { operation_id } })

/** Fixes the discrepancies of one earner, optionally only one side. */
async function fix(earnerId: number, side?: 'employee' | 'employer') {
  const seen = await audit()
  const exclude = seen.discrepancies.flatMap((row) =>
    (['employee', 'employer'] as const)
      .filter((one) => row[`${one}_discrepancy`].discrepancy !== 0)
      .filter((one) => row.earner_id !== earnerId || (side !== undefined && one !== side))
      .map((one) => ({ payroll_id: row.payroll_id, side: one })),
  )
  const reply = await auditor().send(fixDiscrepancies, { body: { ...seen, exclude } })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

/** The transactions of an earner or of tax deposits, in order of the pay runs. */
const paidTo = async (earnerId: number | null) =>
  (
    await server.as('payroll.transactions').send(listTransactions, {
      query: {
        ...(earnerId === null ? { type: 'tax_deposit' as const } : { earner_id: String(earnerId) }),
        order: 'asc',
        limit: '100',
      },
    })
  ).body.transactions

/** A pending wage entry in the pay period of a day. */
const earn = (earner_id: number, work_date: string, amount: string, withheld: string, more: object = {}) =>
  makeEntry(server.db, { earner_id, work_date, amount, withheld, employer_tax: '0', status: 'pending', ...more })

/** Runs payroll on the pay date of the period of a day. */
async function run(day: string) {
  server.clock.set(new Date(`${periodOf(day, 'biweekly').pay_date}T17:00:00Z`))
  return pay()
}

const cents = (value: number) => Math.round(value * 100) / 100

const FIRST = '2026-02-02'
const SECOND = '2026-02-16'
const THIRD = '2026-03-02'
const FOURTH = '2026-03-16'

beforeEach(() => server.clock.set('2026-02-02T17:00:00Z'))

describe('correction of a paid entry', () => {
  it('pays back overwithheld tax in the next run, adjusts the deposit and names the correction', async () => {
    const earner = await makeEarner(server.db)
    await earn(earner.id, FIRST, '1000', '500')
    await run(FIRST)
    const { operation_id, employee_total } = await fix(earner.id, 'employee')
    expect(employee_total).toBeLessThan(0)
    expect((await summary()).unsettled).toEqual({ owed: -employee_total, toWithhold: 0, deposits: employee_total })
    // Nothing is due on the next day, so there is no pay run.
    server.clock.advance(DAY)
    expect(await pay()).toEqual({ paid: 0 })
    await earn(earner.id, SECOND, '1000', '400')
    expect(await run(SECOND)).toEqual({ paid: 1, settlements: 2 })
    const [first, second] = await paidTo(earner.id)
    expect(first).toMatchObject({ amount: 500, settlements: [] })
    expect(second?.amount).toBe(600 - employee_total)
    expect(second?.settlements).toMatchObject([
      { correction: 'fix', operation_id, amount: -employee_total, corrected_on: '2026-02-20' },
    ])
    expect((await paidTo(null)).at(-1)).toMatchObject({
      amount: cents(400 + employee_total),
      status: 'pending',
      settlements: [{ operation_id, amount: employee_total }],
    })
    expect((await summary()).unsettled).toEqual({ owed: 0, toWithhold: 0, deposits: 0 })
    const { dues } = (await server.as('payroll.details').send(readEarner, { params: { id: String(earner.id) } })).body
    expect(dues).toMatchObject([
      { operation_id, amount: -employee_total, remaining: 0, settlements: [{ transaction_id: second?.id }] },
    ])
  })

  it('withholds underwithheld tax from the next net pay, never below zero, and carries the rest over', async () => {
    const earner = await makeEarner(server.db)
    await earn(earner.id, FIRST, '4000', '0')
    await run(FIRST)
    const { employee_total: owes } = await fix(earner.id, 'employee')
    await earn(earner.id, SECOND, '100', '0')
    await earn(earner.id, SECOND, '60', '0', { type: 'mileage' })
    await run(SECOND)
    const [, ...second] = await paidTo(earner.id)
    // Nothing is withheld from mileage.
    expect(second.map(({ transactionType, amount }) => [transactionType, amount]).toSorted()).toEqual([
      ['net_pay', 0],
      ['reimbursement', 60],
    ])
    expect((await summary()).unsettled.toWithhold).toBe(cents(owes - 100))
    await earn(earner.id, THIRD, '4000', '0')
    await run(THIRD)
    expect((await paidTo(earner.id)).at(-1)?.amount).toBe(cents(4000 - (owes - 100)))
    expect((await summary()).unsettled.toWithhold).toBe(0)
    // The first deposit after the correction includes the full amount.
    const deposits = (await paidTo(null)).flatMap(({ settlements }) => settlements)
    expect(deposits.at(-1)?.amount).toBe(owes)
  })

  it('leaves no settlement when undone before the next run, and is reversed when undone after it', async () => {
    const earner = await makeEarner(server.db)
    await earn(earner.id, FIRST, '1000', '500')
    await run(FIRST)
    const before = await summary()
    const early = await fix(earner.id)
    expect((await undo(early.operation_id ?? 0)).status).toBe(200)
    expect((await summary()).unsettled).toEqual(before.unsettled)
    await earn(earner.id, SECOND, '1000', '100')
    expect(await run(SECOND)).toEqual({ paid: 1 })
    const late = await fix(earner.id, 'employee')
    await earn(earner.id, THIRD, '1000', '100')
    await run(THIRD)
    expect((await paidTo(earner.id)).at(-1)?.settlements).toHaveLength(1)
    expect((await undo(late.operation_id ?? 0)).status).toBe(200)
    await earn(earner.id, FOURTH, '1000', '100')
    await run(FOURTH)
    const amounts = (await paidTo(earner.id)).map(({ amount }) => amount)
    expect(amounts).toEqual([500, 900, 900 - late.employee_total, 900 + late.employee_total])
    expect((await summary()).unsettled).toEqual({ owed: 0, toWithhold: 0, deposits: 0 })
  })

  it('is paid to an earner without other pay in that run', async () => {
    const [gone, other] = [await makeEarner(server.db), await makeEarner(server.db)]
    await earn(gone.id, FIRST, '1000', '500')
    await run(FIRST)
    const { employee_total } = await fix(gone.id, 'employee')
    await earn(other.id, SECOND, '1000', '400')
    await run(SECOND)
    expect((await paidTo(gone.id)).map(({ amount }) => amount)).toEqual([500, -employee_total])
  })
})

/** A two-hour on-site session that started some hours ago, with its entry. */
async function visit(amount: string, withheld: string, employer_tax: string, hoursAgo = 3) {
  const business = await makeBusiness(server.db, { zone_id })
  const block = await makeBlock(server.db, { business_id: business.id })
  const session = await makeSession(server.db, {
    block_id: block.id,
    starts_at: shift(server.clock.now(), -hoursAgo * HOUR),
  })
  const { id: earnerId } = await server.db
    .insertInto('earners')
    .values({ stretcher_id: session.stretcher_id, worker_id: null, created_at: server.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const entry = await earn(earnerId, dayOf(session.starts_at), amount, withheld, {
    employer_tax,
    onsite_session_id: session.id,
  })
  return { session, entry, earnerId }
}
const miss = (session_id: number) =>
  server.as('businesses.manage').send(markNotHeld, { body: { session_id, reason: 'Stretcher ill' } })
const statusOf = async (id: number) =>
  (await server.as('payroll.details').send(readDetail, { params: { id: String(id) } })).body

describe('session that did not take place', () => {
  it('is not paid: its pending entry is canceled', async () => {
    const { session, entry } = await visit('72', '10', '5')
    expect((await miss(session.id)).status).toBe(200)
    expect(await statusOf(entry.id)).toMatchObject({ status: 'cancelled', void_reason: null })
    await run(FIRST)
    expect(await paidTo(entry.earner_id)).toEqual([])
  })

  it('is deducted from the next pay and deposit if already paid, and no longer counts', async () => {
    server.clock.set('2026-02-19T17:00:00Z')
    const { session, entry, earnerId } = await visit('72', '10', '5', 6 * 24)
    const before = await summary()
    await run(FIRST)
    expect((await summary()).netPay).toBe(before.netPay + 62)
    expect((await miss(session.id)).status).toBe(200)
    expect(await statusOf(entry.id)).toMatchObject({ status: 'paid', void_reason: 'Stretcher ill', amount: 72 })
    const after = await summary()
    expect(after).toMatchObject({ netPay: before.netPay, totalTaxes: before.totalTaxes, entries: before.entries })
    expect(after.unsettled).toEqual({ owed: 0, toWithhold: 62, deposits: -15 })
    const found = await audit()
    expect(found.discrepancies.map(({ payroll_id }) => payroll_id)).not.toContain(entry.id)
    const explained = await auditor().send(explainEntry, { params: { id: String(entry.id) } })
    expect(explained.failure.code).toBe('voided')
    await earn(earnerId, SECOND, '100', '20')
    await run(SECOND)
    const [, second] = await paidTo(earnerId)
    expect(second).toMatchObject({
      amount: 18,
      settlements: [{ correction: 'void', payroll_id: entry.id, amount: -62 }],
    })
    expect((await summary()).unsettled).toEqual({ owed: 0, toWithhold: 0, deposits: 0 })
  })

  it('prevents undoing a fix of its entry', async () => {
    server.clock.set('2026-02-19T17:00:00Z')
    const { session, entry, earnerId } = await visit('900', '500', '0', 6 * 24)
    await run(FIRST)
    const { operation_id } = await fix(earnerId)
    expect((await miss(session.id)).status).toBe(200)
    expect((await undo(operation_id ?? 0)).failure.code).toBe('voided')
    const { adjustments } = (await auditor().send(listAdjustments, { query: { payroll_id: String(entry.id) } })).body
    expect(adjustments.map(({ can_undo }) => can_undo)).not.toContain(true)
    // The full amount is deducted, including the fix.
    const { dues } = (await server.as('payroll.details').send(readEarner, { params: { id: String(earnerId) } })).body
    expect(dues.reduce((sum, { remaining }) => sum + readDollars(remaining), 0n)).toBe(-parseMoney('400'))
  })
})

type Step =
  | { do: 'earn'; who: number; type: 'session' | 'bonus' | 'mileage'; amount: number; share: number }
  | { do: 'visit'; amount: number; share: number }
  | { do: 'run' }
  | { do: 'fix'; keep: number }
  | { do: 'undo'; which: number }
  | { do: 'miss'; which: number }

const amount = fc.integer({ min: 1, max: 40_000_000 })
const share = fc.integer({ min: 0, max: 60 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('earn' as const),
      who: fc.nat(2),
      type: fc.constantFrom('session' as const, 'bonus' as const, 'mileage' as const),
      amount,
      share,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('visit' as const), amount, share }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('run' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fix' as const), keep: fc.nat(100) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo' as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('miss' as const), which: fc.nat(20) }) },
)

/** Invariants of every history, read from the tables and from the summary. */
async function expectAgreement() {
  const { rows } = await sql<Record<string, string | null>>`
    with transactions as (
      select coalesce(sum(amount) filter (where transaction_type <> 'tax_deposit'), 0) as pay,
        coalesce(sum(amount) filter (where transaction_type = 'tax_deposit'), 0) as deposits, coalesce(min(amount), 0) as smallest
      from payroll_transactions),
    lines as (
      select coalesce(sum(s.amount) filter (where t.earner_id is not null), 0) as pay,
        coalesce(sum(s.amount) filter (where t.earner_id is null), 0) as deposits
      from payroll_settlements s join payroll_transactions t on t.id = s.transaction_id),
    paid as (
      select coalesce(sum(net_pay), 0) as net, coalesce(sum(withheld + employer_tax), 0) as taxes from payroll_entries where status = 'paid'),
    earners_off as (
      select n.id from earners n
      where (select coalesce(sum(t.amount), 0) from payroll_transactions t where t.earner_id = n.id)
          + (select coalesce(sum(d.remaining), 0) from payroll_dues d where d.earner_id = n.id)
        <> (select coalesce(sum(e.net_pay), 0) from payroll_entries e where e.earner_id = n.id and e.status = 'paid'
              and not exists (select from payroll_voids v where v.payroll_id = e.id))
          - (select coalesce(sum(a.difference), 0) from payroll_adjustments a where a.earner_id = n.id and a.side = 'employee'
              and not exists (select from payroll_undos u where u.operation_id = a.operation_id)
              and not exists (select from payroll_voids v where v.payroll_id = a.payroll_id)))
    select transactions.pay, transactions.deposits, transactions.smallest,
      paid.net + lines.pay as pay_by_parts, paid.taxes + lines.deposits as deposits_by_parts,
      (select count(*)::text from earners_off) as earners_off,
      (select count(*)::text from payroll_dues d where d.settled <> (select coalesce(sum(s.amount), 0) from payroll_settlements s where s.due_id = d.id)) as dues_off
    from transactions, lines, paid`.execute(server.db)
  const facts = rows[0] ?? {}
  const money = (name: string) => parseMoney(facts[name] ?? '')
  // No payment is negative, and each equals its entries plus its settlements.
  expect(money('smallest') >= 0n).toBe(true)
  expect(facts.pay_by_parts).toBe(facts.pay)
  expect(facts.deposits_by_parts).toBe(facts.deposits)
  // Each due matches its settlements; each earner received, or will receive, the corrected pay.
  expect(facts.dues_off).toBe('0')
  expect(facts.earners_off).toBe('0')
  // The summary, the transactions and the deposits agree.
  const { netPay, totalTaxes, unsettled } = await summary()
  expect(stringifyMoney(readDollars(netPay))).toBe(
    stringifyMoney(money('pay') + readDollars(unsettled.owed) - readDollars(unsettled.toWithhold)),
  )
  expect(stringifyMoney(readDollars(totalTaxes))).toBe(
    stringifyMoney(money('deposits') + readDollars(unsettled.deposits)),
  )
}

/** After a run no positive dues are left, and earners with negative dues received no net pay. */
async function expectRunDone(after: number) {
  const { rows } = await sql<{ wrong: number }>`
    select count(*) as wrong from payroll_dues d where d.remaining <> 0 and (
      d.earner_id is not null and d.remaining > 0 or exists (
        select from payroll_transactions t where t.id > ${after} and t.amount > 0
          and t.earner_id is not distinct from d.earner_id and t.transaction_type <> 'reimbursement'))`.execute(
    server.db,
  )
  expect(rows[0]?.wrong).toBe(0)
}

it('keeps payments, summary and deposits equal after each step of random histories', {
  timeout: 240_000,
}, async () => {
  // All histories run one after another within one tax year.
  let day = Date.parse('2026-04-06T17:00:00Z')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
      const team = [await makeEarner(server.db), await makeEarner(server.db, 'worker'), await makeEarner(server.db)]
      const visits: number[] = []
      const today = () => dayOf(server.clock.now())
      const printed = (value: number, percent: number) => ({
        gross: stringifyMoney(BigInt(value)),
        tax: stringifyMoney((BigInt(value) * BigInt(percent)) / 100n),
      })
      for (const one of steps) {
        day += 60_000
        server.clock.set(new Date(day))
        if (one.do === 'earn') {
          const { gross, tax } = printed(one.amount, one.type === 'mileage' ? 0 : one.share)
          const more = { type: one.type, employer_tax: one.type === 'mileage' ? '0' : tax }
          await earn(team[one.who]?.id ?? 0, today(), gross, tax, more)
        }
        if (one.do === 'visit') {
          const { gross, tax } = printed(one.amount, one.share)
          visits.push((await visit(gross, tax, tax)).session.id)
        }
        if (one.do === 'run') {
          day = Date.parse(`${periodOf(today(), 'biweekly').pay_date}T17:00:00Z`)
          server.clock.set(new Date(day))
          const { rows } = await sql<{
            id: number
          }>`select coalesce(max(id), 0) as id from payroll_transactions`.execute(server.db)
          if ((await pay()).paid > 0) await expectRunDone(rows[0]?.id ?? 0)
        }
        if (one.do === 'fix') {
          const seen = await audit()
          const exclude = seen.discrepancies.flatMap((row, index) =>
            (['employee', 'employer'] as const)
              .filter((side) => row[`${side}_discrepancy`].discrepancy !== 0)
              .filter((side) => (index * 7 + (side === 'employee' ? 3 : 0) + one.keep) % 4 === 0)
              .map((side) => ({ payroll_id: row.payroll_id, side })),
          )
          const reply = await auditor().send(fixDiscrepancies, { body: { ...seen, exclude } })
          expect(reply.status, reply.text).toBe(200)
        }
        if (one.do === 'undo') {
          const operations = await server.db
            .selectFrom('payroll_operations')
            .select('id')
            .orderBy('id', 'desc')
            .execute()
          const chosen = operations[one.which % Math.max(1, Math.min(operations.length, 4))]
          if (chosen) expect([200, 409]).toContain((await undo(chosen.id)).status)
        }
        if (one.do === 'miss') {
          const chosen = visits[one.which % Math.max(1, visits.length)]
          if (chosen) expect([200, 409]).toContain((await miss(chosen)).status)
        }
        await expectAgreement()
      }
      day = Math.min(day, Date.parse('2026-11-01T17:00:00Z'))
    }),
    { numRuns: rounds(4, 14), seed: 22 },
  )
})

describe('planRun', () => {
  const signed = fc.bigInt(-5_000_000n, 5_000_000n).filter((value) => value !== 0n)
  const group: fc.Arbitrary<PaidGroup> = fc
    .record({
      earner: fc.nat(3),
      period: fc.nat(2),
      isPay: fc.boolean(),
      net: fc.bigInt(0n, 9_000_000n),
      taxes: fc.bigInt(0n, 900_000n),
    })
    .map(({ earner, period, isPay, net, taxes }) => ({
      earner_id: earner + 1,
      pay_period_id: period + 1,
      pay_date: `2026-0${period + 1}-06`,
      kind: isPay ? 'net_pay' : 'reimbursement',
      net,
      taxes: isPay ? taxes : 0n,
    }))
  const groups = fc.uniqueArray(group, {
    maxLength: 8,
    selector: ({ earner_id, pay_period_id, kind }) => `${earner_id}/${pay_period_id}/${kind}`,
  })
  const dues = fc
    .array(fc.record({ earner: fc.option(fc.integer({ min: 1, max: 5 })), remaining: signed }), { maxLength: 8 })
    .map((all) => all.map(({ earner, remaining }, index): Due => ({ id: index + 1, earner_id: earner, remaining })))

  it('pays everything once, never settles more than is open and never pays a negative amount', () => {
    fc.assert(
      fc.property(groups, dues, (paid, open) => {
        const payments = planRun(paid, open)
        const sum = (values: readonly bigint[]) => values.reduce((all, value) => all + value, 0n)
        for (const { amount: out } of payments) expect(out >= 0n).toBe(true)
        expect(sum(payments.map((one) => one.amount))).toBe(
          sum(paid.flatMap(({ net, taxes }) => [net, taxes])) +
            sum(payments.flatMap(({ lines }) => lines.map((line) => line.amount))),
        )
        for (const { transaction_type, lines } of payments)
          if (transaction_type === 'reimbursement') expect(lines).toEqual([])
        for (const due of open) {
          const own = payments.filter(({ lines }) => lines.some(({ due_id }) => due_id === due.id))
          const settled = sum(own.flatMap(({ lines }) => lines.filter((l) => l.due_id === due.id).map((l) => l.amount)))
          for (const { earner_id } of own) expect(earner_id).toBe(due.earner_id)
          if (due.remaining > 0n) expect(settled).toBe(paid.length === 0 ? 0n : due.remaining)
          else expect(settled <= 0n && settled >= due.remaining).toBe(true)
          // A negative due only remains when no pay is left to deduct it from.
          if (due.remaining < 0n && settled !== due.remaining)
            for (const { transaction_type, earner_id, amount: out } of payments)
              if (earner_id === due.earner_id && transaction_type !== 'reimbursement') expect(out).toBe(0n)
        }
      }),
      { numRuns: rounds(400, 2000), seed: 5 },
    )
  })
})
