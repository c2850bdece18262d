import {
  type AuditResult,
  checkDiscrepancies,
  fixDiscrepancies,
  runAudit,
} from '@limber/contract/payroll/audit/audit.ts'
import { explainEntry } from '@limber/contract/payroll/audit/explanation.ts'
import { readDollars } from '@limber/contract/payroll/values.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeEarner, makeEntry, makeProfile } from '../payroll.factory.ts'
import { defaultTaxProfile } from '../tax/tax-profile.rules.ts'
import { calculateGroup, groupEntries, type PaidEntry, severityOf, type Terms, taxesOf } from './audit.rules.ts'
import { findLastCheck } from './check.queries.ts'
import { shareOut } from './share.rules.ts'

let server: TestServer
let entries: number[]
let earnerId: number
const november = { startDate: '2026-11-01', endDate: '2026-11-30' }

beforeAll(async () => {
  server = await startTestServer()
  const earner = await makeEarner(server.db, 'stretcher', { filing_status: 'single' })
  earnerId = earner.id
  entries = []
  for (const [work_date, amount] of [
    ['2026-10-26', '1140'],
    ['2026-10-27', '1000'],
    ['2026-10-28', '50'],
  ] as const) {
    const type = amount === '50' ? 'mileage' : 'session'
    entries.push((await makeEntry(server.db, { earner_id: earner.id, work_date, amount, type })).id)
  }
  // The first audit starts the thread, which takes seconds on a busy machine.
  await audit()
})
afterAll(() => server.stop())

const audit = async (body: object = november): Promise<AuditResult> => {
  const reply = await server.as('payroll.audit').send(runAudit, { body })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

describe('POST /api/payroll/audit', () => {
  it('finds missing taxes per entry that add up to the taxes of the period', async () => {
    const found = await audit()
    expect(found).toMatchObject({
      period_start: '2026-11-01',
      period_end: '2026-11-30',
      total_entries_checked: 3,
      total_discrepancies: 2,
      significant: 2,
      warnings: 0,
      is_cut: false,
    })
    // 2,140 biweekly, single: 172.95 + 132.68 + 31.03 + 64.77 + 27.82.
    expect(found.total_employee_discrepancy).toBe(-429.25)
    expect(found.total_employer_discrepancy).toBe(-(132.68 + 31.03 + 12.84 + 72.76 + 2.14).toFixed(2))
    expect(found.earner_summary[earnerId]).toMatchObject({
      filing_status: 'single',
      employee_total_discrepancy: -429.25,
      entries: 3,
      discrepancies: 2,
    })
    const row = found.discrepancies.find(({ payroll_id }) => payroll_id === entries[0])
    expect(row).toMatchObject({ earner_id: earnerId, amount: 1140, date: '2026-11-13', severity: 'significant' })
    expect(row?.employee_discrepancy.withheld_tax).toBe(0)
    expect(found.notice).toContain('not tax advice')
    expect(found.tables?.[0]?.publications[0]).toContain('Pub 15-T (2026)')
  })
  it('covers the last 30 days by default', async () => {
    const found = await audit({})
    expect([found.period_start, found.period_end]).toEqual(['2026-10-18', '2026-11-16'])
    expect(found.total_entries_checked).toBe(3)
  })
  it('counts wages before the range toward the wage bases', async () => {
    const highEarner = await makeEarner(server.db, 'worker', { filing_status: 'married_jointly' })
    await makeEntry(server.db, { earner_id: highEarner.id, work_date: '2026-01-05', amount: '198000', type: 'bonus' })
    const { id } = await makeEntry(server.db, { earner_id: highEarner.id, work_date: '2026-10-26', amount: '8000' })
    const found = await audit()
    const row = found.discrepancies.find(({ payroll_id }) => payroll_id === id)
    expect(row?.employer_discrepancy.calculated_tax).toBe(116)
    expect(row?.employee_discrepancy.calculated_tax).toBeGreaterThan(1000)
  })
  it('names a year without tax tables', async () => {
    const old = await makeEarner(server.db)
    await makeEntry(server.db, { earner_id: old.id, work_date: '2024-06-03' })
    const reply = await server.as('payroll.audit').send(runAudit, {
      body: { startDate: '2024-06-01', endDate: '2024-06-30' },
    })
    expect(reply.status).toBe(422)
    expect(reply.failure.error).toContain('2024')
  })
  it.each([
    ['start after end', { startDate: '2026-11-02', endDate: '2026-11-01' }, 400],
    ['February 31', { startDate: '2026-02-31', endDate: '2026-03-01' }, 400],
    ['100 years', { startDate: '1926-01-01', endDate: '2026-01-01' }, 422],
    ['a date with time', { startDate: '2026-11-01T00:00', endDate: '2026-11-02' }, 400],
    ['a number', { startDate: 20_261_101 }, 400],
    ['an unknown key', { startDate: '2026-11-01', all: true }, 400],
    ['a list', [], 400],
  ])('rejects %s', async (_, body, status) => {
    expect((await server.as('payroll.audit').send(runAudit, { body: body as never })).status).toBe(status)
  })
  it('covers at most 800 days', async () => {
    const from = (startDate: string) =>
      server.as('payroll.audit').send(runAudit, { body: { startDate, endDate: '2027-03-11' } })
    expect((await from('2025-01-01')).status).toBe(200)
    expect((await from('2024-12-31')).failure.code).toBe('range_too_long')
  })
  it('requires the permission', async () => {
    for (const call of [runAudit, checkDiscrepancies, fixDiscrepancies]) {
      expect((await server.as('payroll.details', 'payroll.settings').send(call)).status).toBe(403)
      expect((await server.anonymous().send(call)).status).toBe(401)
    }
  })
})

describe('GET /api/payroll/entries/:id/explanation', () => {
  it('shows steps that add up to the amount in the audit', async () => {
    const id = entries[0] ?? 0
    const found = (await audit()).discrepancies.find(({ payroll_id }) => payroll_id === id)
    const { status, body } = await server.as('payroll.audit').send(explainEntry, { params: { id: String(id) } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ wages: 2140, wage_entries: 2, ytd_before: 0, amount: 1140, year: 2026 })
    for (const side of ['employee', 'employer'] as const) {
      const { components, calculated_tax } = body[side]
      expect(components.reduce((sum, { share }) => sum + readDollars(share), 0n)).toBe(readDollars(calculated_tax))
      expect(calculated_tax).toBe(found?.[`${side}_discrepancy`].calculated_tax)
    }
    const [fit] = body.employee.components
    expect(fit?.steps.at(-1)).toMatchObject({ kind: 'total', amount: '172.95' })
    expect(body.likely_causes.map(({ cause }) => cause)).toEqual(['missing_withholding', 'missing_employer_tax'])
    expect(body.sources.length).toBeGreaterThan(4)
  })
  it('rejects unknown and unpaid entries', async () => {
    const { id } = await makeEntry(server.db, { earner_id: earnerId, work_date: '2026-11-10', status: 'pending' })
    const ask = (n: number | string) => server.as('payroll.audit').send(explainEntry, { params: { id: String(n) } })
    expect((await ask(987_654)).status).toBe(404)
    expect((await ask(id)).status).toBe(422)
    expect((await ask('x')).status).toBe(400)
    expect((await server.as('payroll.details').send(explainEntry, { params: { id: '1' } })).status).toBe(403)
  })

  const calculate = async (id: number) => {
    const reply = await server.as('payroll.audit').send(explainEntry, { params: { id: String(id) } })
    return reply.body
  }
  const causeOf = async (id: number) => (await calculate(id)).likely_causes[0]?.cause

  it('names the likely cause', async () => {
    const { db } = server
    const single = await makeEarner(db, 'stretcher', { filing_status: 'single' })
    const draft = { earner_id: single.id, amount: '2000', type: 'session' as const }
    const provisional = await makeEntry(db, { ...draft, work_date: '2026-01-05', withheld: '360', employer_tax: '153' })
    expect(await causeOf(provisional.id)).toBe('provisional_rate')

    const joint = await makeEarner(db, 'stretcher', { filing_status: 'married_jointly' })
    const wrong = await makeEntry(db, { ...draft, earner_id: joint.id, work_date: '2026-01-05', withheld: '390.68' })
    expect(await causeOf(wrong.id)).toBe('wrong_filing_status')

    const late = await makeEarner(db, 'stretcher', { filing_status: 'single' })
    await makeProfile(db, {
      earner_id: late.id,
      effective_from: '2026-01-01',
      filing_status: 'married_jointly',
      recorded_at: new Date('2026-03-01T12:00:00Z'),
    })
    const changed = await makeEntry(db, { ...draft, earner_id: late.id, work_date: '2026-01-05', withheld: '390.68' })
    expect(await causeOf(changed.id)).toBe('late_status_change')

    const residue = await makeEntry(db, {
      ...draft,
      work_date: '2026-01-19',
      withheld: '390.6812',
      employer_tax: '235',
    })
    expect(await causeOf(residue.id)).toBe('rounding')
  })
})

describe('POST /api/payroll/check-discrepancies', () => {
  it('runs at most once an hour for all callers', async () => {
    const first = server.as('payroll.audit')
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? first : server.as('payroll.audit')).send(checkDiscrepancies)),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(replies.filter(({ body }) => body.ran)).toHaveLength(1)
    server.clock.advance(3_599_999)
    const early = await server.as('payroll.audit').send(checkDiscrepancies)
    expect(early.body).toMatchObject({ ran: false, state: 'done', checked_at: '2026-11-16T17:00:00.000Z' })
    expect(early.body.result?.total_discrepancies).toBeGreaterThan(0)
    server.clock.advance(1)
    expect((await server.as('payroll.audit').send(checkDiscrepancies)).body.ran).toBe(true)
    server.clock.set('2026-11-16T17:00:00.000Z')
  })

  it('runs again a few minutes after a killed check, which counts as failed', async () => {
    const { db, clock } = server
    clock.set('2026-11-17T17:00:00.000Z')
    const caller = server.as('payroll.audit')
    await db
      .insertInto('payroll_checks')
      .values({ started_at: clock.now(), ended_at: null, worker_id: null, result: null })
      .execute()
    clock.advance(4 * 60_000)
    expect((await caller.send(checkDiscrepancies)).body).toMatchObject({ ran: false, state: 'running' })
    clock.advance(60_000)
    expect((await findLastCheck(db, clock.now()))?.state).toBe('failed')
    expect((await caller.send(checkDiscrepancies)).body).toMatchObject({ ran: true, state: 'done' })
    clock.set('2026-11-16T17:00:00.000Z')
  })

  it('does not repeat a failed check within the hour', async () => {
    const { db, clock } = server
    clock.set('2026-11-18T17:00:00.000Z')
    const caller = server.as('payroll.audit')
    await db
      .insertInto('payroll_checks')
      .values({ started_at: clock.now(), ended_at: clock.now(), worker_id: null, state: 'failed', result: null })
      .execute()
    clock.advance(3_599_999)
    const early = await caller.send(checkDiscrepancies)
    expect(early.body).toMatchObject({ ran: false, state: 'failed', result: null })
    clock.advance(1)
    expect((await caller.send(checkDiscrepancies)).body).toMatchObject({ ran: true, state: 'done' })
    clock.set('2026-11-16T17:00:00.000Z')
  })
})

describe('shareOut', () => {
  it('adds up to the cent for any weights, each share within one cent', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5_000_000 }),
        fc.array(fc.integer({ min: 0, max: 90_000_000 }), { minLength: 1, maxLength: 60 }),
        (cents, weights) => {
          const total = BigInt(cents) * 100n
          const shares = shareOut(total, weights.map(BigInt))
          const sum = shares.reduce((all, share) => all + share, 0n)
          const all = BigInt(weights.reduce((a, b) => a + b, 0))
          if (all === 0n) return sum === 0n
          return (
            sum === total &&
            shares.every((share, at) => {
              const off = share * all - total * BigInt(weights[at] ?? 0)
              return off < 100n * all && off > -100n * all && share % 100n === 0n
            })
          )
        },
      ),
      { numRuns: rounds(500, 3000) },
    )
  })
  it('gives leftover cents to the largest remainders, ties to the first', () => {
    expect(shareOut(100n, [1n, 1n, 1n])).toEqual([100n, 0n, 0n])
    expect(shareOut(200n, [1n, 5n, 3n])).toEqual([0n, 100n, 100n])
  })
})

describe('audit rules', () => {
  it('splits the taxes of each period exactly, for any entries and earner', () => {
    const types = ['session', 'bonus', 'mileage', 'sick_pay', 'expense_reimbursement'] as const
    const entry = fc.record({
      type: fc.constantFrom(...types),
      amount: fc.integer({ min: 0, max: 20_000_000 }).map(BigInt),
      day: fc.constantFrom('2025-12-19', '2026-01-02', '2026-01-16'),
    })
    const terms = fc.record({
      taxProfile: fc.record({
        filingStatus: fc.constantFrom('single', 'married_jointly', 'married_separately', 'head_of_household'),
        w4: fc.constant(defaultTaxProfile.w4),
        de4: fc.record({ regular: fc.integer({ min: 0, max: 12 }), estimated: fc.integer({ min: 0, max: 12 }) }),
      }),
      frequency: fc.constantFrom('weekly', 'biweekly', 'semimonthly', 'monthly'),
      uiRate: fc.integer({ min: 15_000, max: 62_000 }).map(BigInt),
    }) satisfies fc.Arbitrary<Terms>
    const sum = (shares: readonly bigint[]) => shares.reduce((all, share) => all + share, 0n)
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 30 }), terms, (drafts, of) => {
        const paid: PaidEntry[] = drafts
          .toSorted((a, b) => (a.day < b.day ? -1 : 1))
          .map(({ day, ...draft }, id) => ({
            ...draft,
            id,
            periodId: Number(day.slice(8)),
            payDate: day,
            employeeRecorded: 0n,
            employerRecorded: 0n,
          }))
        for (const group of groupEntries(paid, { year: 2025, wages: 70_000_000n })) {
          const shares = calculateGroup(group, of)
          const taxes = taxesOf(group, of)
          if (sum(shares.employee) !== taxes.employee.total || sum(shares.employer) !== taxes.employer.total)
            return false
          if (group.payDate === '2026-01-02' && group.ytdBefore !== 0n) return false
        }
        return true
      }),
      { numRuns: rounds(100, 500) },
    )
  })
  it.each([
    [0n, undefined],
    [1n, 'warning'],
    [-99n, 'warning'],
    [100n, 'significant'],
    [-100n, 'significant'],
  ])('rates %d as %s', (size, expected) => expect(severityOf(size)).toBe(expected))
})
