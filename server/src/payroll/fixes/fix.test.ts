// @module-tag slow
import {
  type AuditResult,
  checkDiscrepancies,
  type FixBody,
  fixDiscrepancies,
  listAdjustments,
  previewFix,
  runAudit,
  undoFix,
} from '@limber/contract/payroll/audit/audit.ts'
import { closePeriod } from '@limber/contract/payroll/entries/period.ts'
import { readSummary } from '@limber/contract/payroll/lists/summary.ts'
import { changeSettings } from '@limber/contract/payroll/settings/settings.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeEarner, makeEntry, makePeriod } from '../payroll.factory.ts'
import { isCurrent } from './fix.rules.ts'

let server: TestServer
let clerk: TestCaller
/** Twelve entries with two sides each. */
const ENTRIES = 12
const LINES = 2 * ENTRIES
const range = { startDate: '2026-10-01', endDate: '2026-11-16' }

beforeAll(async () => {
  server = await startTestServer()
  clerk = server.asSteppedUp('payroll.audit')
  for (let n = 0; n < 3; n++) {
    const earner = await makeEarner(server.db, n % 2 ? 'worker' : 'stretcher', { filing_status: 'single' })
    for (const [at, work_date] of ['2026-10-05', '2026-10-26'].entries()) {
      const amount = String(300 + 111.1 * n + at)
      await makeEntry(server.db, { earner_id: earner.id, work_date, amount, withheld: '20.1234', employer_tax: '11' })
      await makeEntry(server.db, { earner_id: earner.id, work_date, amount: '77.77', type: 'bonus', withheld: '3' })
    }
  }
  // The first audit starts the thread, which takes seconds on a busy machine.
  await audit()
})
afterAll(() => server.stop())

const audit = async (): Promise<AuditResult> => (await clerk.send(runAudit, { body: range })).body
const fix = (body: object, by = clerk, key?: string) =>
  by.send(fixDiscrepancies, { body: body as never }, key ? { headers: { 'idempotency-key': key } } : {})
const undo = (operation_id: number | null) => clerk.send(undoFix, { body: { operation_id: operation_id ?? 0 } })

/** All visible payroll data as text. */
async function fingerprint(): Promise<string> {
  const { rows } = await sql<{ print: string }>`
    select (select coalesce(string_agg(e::text, '|' order by e.id), '') from payroll_entries e)
      || (select coalesce(string_agg(a.payroll_id || a.side || a.difference, '|' order by a.id), '') from payroll_adjustments a
          where not exists (select from payroll_undos u where u.operation_id = a.operation_id)) as print`.execute(
    server.db,
  )
  return rows[0]?.print ?? ''
}
const count = async () =>
  (await sql<{ n: number }>`select count(*) as n from payroll_adjustments`.execute(server.db)).rows[0]?.n ?? -1

/** Applies a fix, runs the checks and undoes it, so that every test starts with the same figures. */
async function whileFixed(check: (id: number, seen: AuditResult) => Promise<void>) {
  const seen = await audit()
  const reply = await fix(seen)
  expect(reply.status, reply.text).toBe(200)
  await check(reply.body.operation_id ?? 0, seen)
  expect((await undo(reply.body.operation_id)).status).toBe(200)
}

describe('POST /api/payroll/fix-discrepancies', () => {
  it('removes all discrepancies without changing entries, and undo restores them', async () => {
    const before = await fingerprint()
    await whileFixed(async (id, seen) => {
      expect(seen.total_discrepancies).toBe(ENTRIES)
      const after = await audit()
      expect(after).toMatchObject({ total_discrepancies: 0, total_entries_checked: ENTRIES, discrepancies: [] })
      const { body } = await clerk.send(listAdjustments, { query: { operation_id: String(id), limit: '100' } })
      expect(body.pagination.totalItems).toBe(LINES)
      const [line] = body.adjustments
      expect(line).toMatchObject({ operation_id: id, status: 'applied', can_undo: true })
      expect(line?.reason).toBe('Tax audit for Oct 1 – Nov 16, 2026')
      expect(Math.round(((line?.before ?? 0) + (line?.difference ?? 0)) * 1e4)).toBe(
        Math.round((line?.after ?? 0) * 1e4),
      )
    })
    expect(await fingerprint()).toBe(before)
    const { body } = await clerk.send(listAdjustments, { query: { status: 'applied' } })
    expect(body.pagination.totalItems).toBe(0)
  })

  it('marks an earlier hourly check as outdated', async () => {
    const isOlder = async () => (await clerk.send(checkDiscrepancies)).body.fixed_since
    expect(await isOlder()).toBe(false)
    server.clock.advance(60_000)
    await whileFixed(async () => expect(await isOlder()).toBe(true))
    server.clock.advance(-60_000)
  })

  it('updates the last change of the summary, as does its undo', async () => {
    const lastUpdated = async () => (await server.as('payroll.summary').send(readSummary)).body.lastUpdated ?? ''
    server.clock.advance(120_000)
    const reply = await fix(await audit())
    expect(await lastUpdated()).toBe(server.clock.now().toISOString())
    server.clock.advance(60_000)
    expect((await undo(reply.body.operation_id)).status).toBe(200)
    expect(await lastUpdated()).toBe(server.clock.now().toISOString())
    server.clock.advance(-180_000)
  })

  it('counts in the taxes of its pay periods and in the total, and undone in neither', async () => {
    const summary = async () => (await server.as('payroll.summary').send(readSummary)).body
    const cents = (value: number) => Math.round(value * 1e4)
    const isEqual = ({ totalTaxes, periods }: Awaited<ReturnType<typeof summary>>) =>
      expect(periods.reduce((sum, { taxes }) => sum + cents(taxes), 0)).toBe(cents(totalTaxes))
    const before = await summary()
    isEqual(before)
    await whileFixed(async () => {
      const after = await summary()
      expect(after.totalTaxes).not.toBe(before.totalTaxes)
      isEqual(after)
    })
    expect((await summary()).periods).toEqual(before.periods)
  })

  it('leaves exactly the excluded lines, and undo restores everything, for any selection', async () => {
    const before = await fingerprint()
    const first = await audit()
    const sides = ['employee', 'employer'] as const
    const lines = first.discrepancies.flatMap(({ payroll_id }) => sides.map((side) => ({ payroll_id, side })))
    await fc.assert(
      fc.asyncProperty(fc.subarray(lines, { maxLength: LINES - 1 }), async (exclude) => {
        const reply = await fix({ ...first, exclude })
        expect(reply.body.applied, reply.text).toBe(LINES - exclude.length)
        const left = (await audit()).discrepancies.flatMap((row) =>
          sides
            .filter((side) => row[`${side}_discrepancy`].discrepancy !== 0)
            .map((side) => `${row.payroll_id} ${side}`),
        )
        expect(left.toSorted()).toEqual(exclude.map(({ payroll_id, side }) => `${payroll_id} ${side}`).toSorted())
        expect((await undo(reply.body.operation_id)).status).toBe(200)
        expect(await fingerprint()).toBe(before)
      }),
      { numRuns: 6 },
    )
    expect(await audit()).toEqual(first)
  })

  it('previews the adjustments', async () => {
    const seen = await audit()
    const before = await count()
    const preview = await clerk.send(previewFix, { body: seen as never })
    expect(preview.body).toMatchObject({ entries: ENTRIES, closed_lines: 0, can_undo: true })
    expect(preview.body.by_earner).toHaveLength(3)
    expect(preview.body.employee_total).toBe(-seen.total_employee_discrepancy)
    expect(await count()).toBe(before)
  })

  it('skips excluded lines', async () => {
    const seen = await audit()
    const [first] = seen.discrepancies
    const out = { payroll_id: first?.payroll_id ?? 0, side: 'employee' as const }
    const reply = await fix({ ...seen, exclude: [out] })
    expect(reply.status).toBe(200)
    const after = await audit()
    expect(after.discrepancies.map(({ payroll_id }) => payroll_id)).toEqual([out.payroll_id])
    expect(after.discrepancies[0]?.employer_discrepancy.discrepancy).toBe(0)
    // A later fix of the same entry would have to be undone first; this is another entry.
    const second = await fix(after)
    expect(second.body.applied).toBe(1)
    expect((await undo(second.body.operation_id)).status).toBe(200)
    expect((await undo(reply.body.operation_id)).status).toBe(200)
    expect((await fix({ ...seen, exclude: [{ payroll_id: 999_999, side: 'employee' }] })).status).toBe(409)
    expect((await fix({ ...seen, exclude: [out, out] })).status).toBe(409)
  })

  it('accepts the documented fields only', async () => {
    const { significant, warnings, is_cut, settings_version, run_at, tables, notice, ...seen } = await audit()
    const bare = {
      ...seen,
      earner_summary: Object.fromEntries(
        Object.entries(seen.earner_summary).map(([id, { name, discrepancies, ...rest }]) => [id, rest]),
      ),
      discrepancies: seen.discrepancies.map(
        ({ earner_name, filing_status, type, severity, is_period_closed, ...row }) => row,
      ),
    }
    const reply = await fix({ ...bare, discrepancies: bare.discrepancies.toReversed() })
    expect(reply.status, reply.text).toBe(200)
    await undo(reply.body.operation_id)
  })

  it('applies once for twenty concurrent requests with one idempotency key', async () => {
    const seen = await audit()
    const before = await count()
    const replies = await Promise.all(Array.from({ length: 20 }, () => fix(seen, clerk, 'fix-all-twenty-0001')))
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies.filter(({ headers }) => headers.get('idempotent-replay'))).toHaveLength(19)
    expect(await count()).toBe(before + LINES)
    await undo(replies[0]?.body.operation_id ?? 0)
  })

  it('applies once for twenty concurrent requests of two people with different keys', async () => {
    const other = server.asSteppedUp('payroll.audit')
    const seen = await audit()
    const before = await count()
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => fix(seen, n % 2 ? other : clerk)))
    const done = replies.filter(({ status }) => status === 200)
    expect(done).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(19)
    expect(await count()).toBe(before + LINES)
    await undo(done[0]?.body.operation_id ?? 0)
  })

  it('writes nothing when the settings changed after the audit', async () => {
    const seen = await audit()
    const before = await count()
    const boss = server.asSteppedUp('payroll.settings')
    expect((await boss.send(changeSettings, { body: { taxRate: 0.2 } })).status).toBe(200)
    const reply = await fix(seen)
    expect(reply.status).toBe(409)
    expect(reply.failure).toMatchObject({
      code: 'figures_changed',
      error: 'The figures have changed. Review them again.',
    })
    expect(await count()).toBe(before)
  })

  it('never writes an amount from the body: tampered bodies change nothing', async () => {
    const seen = await audit()
    const before = await fingerprint()
    await fc.assert(
      fc.asyncProperty(tampered(seen), async (body) => {
        expect([400, 409]).toContain((await fix(body)).status)
      }),
      { numRuns: rounds(12, 40) },
    )
    expect(await fingerprint()).toBe(before)
  })

  it('rejects a thousand tampered bodies', async () => {
    const seen = await audit()
    expect(isCurrent({ ...seen, exclude: [] }, seen)).toBe(true)
    fc.assert(
      fc.property(tampered(seen), (body) => {
        const read = fixDiscrepancies.body.safeParse(body)
        return !read.success || !isCurrent(read.data, seen)
      }),
      { numRuns: rounds(200, 1000) },
    )
  })

  // None of these changes a figure, so one audit is enough.
  let latest: AuditResult | undefined
  it.each([
    ['rows of another period', (body: FixBody) => ({ ...body, period_start: '2026-11-01' }), 409],
    ['a row left out', (body: FixBody) => ({ ...body, discrepancies: body.discrepancies.slice(1) }), 409],
    [
      'a row twice',
      ({ discrepancies: [first, ...rest], ...body }: FixBody) => ({
        ...body,
        discrepancies: [first, first, ...rest.slice(1)],
      }),
      409,
    ],
    [
      'an unknown id',
      ({ discrepancies: [first, ...rest], ...body }: FixBody) => ({
        ...body,
        discrepancies: [{ ...first, payroll_id: 123_456 }, ...rest],
      }),
      409,
    ],
    ['an earner left out', (body: FixBody) => ({ ...body, earner_summary: {} }), 409],
    ['amounts as text', (body: FixBody) => ({ ...body, total_employee_discrepancy: '1' }), 400],
    ['NaN', (body: FixBody) => ({ ...body, total_employee_discrepancy: Number.NaN }), 400],
    ['1e308', (body: FixBody) => ({ ...body, total_employer_discrepancy: 1e308 }), 400],
    ['a negative count', (body: FixBody) => ({ ...body, total_discrepancies: -1 }), 400],
    ['too many rows', (body: FixBody) => ({ ...body, discrepancies: Array(20_001).fill(body.discrepancies[0]) }), 400],
    ['an end before the start', (body: FixBody) => ({ ...body, period_end: '2020-01-01' }), 400],
    ['February 31', (body: FixBody) => ({ ...body, period_end: '2026-02-31' }), 400],
    ['a hundred years', (body: FixBody) => ({ ...body, period_start: '1926-01-01' }), 422],
    ['an unknown key', (body: FixBody) => ({ ...body, force: true }), 400],
    ['nothing', () => ({}), 400],
  ])('rejects %s and writes nothing', async (_, tamper, status) => {
    latest ??= await audit()
    const before = await count()
    expect((await fix(tamper({ ...latest, exclude: [] }))).status).toBe(status)
    expect(await count()).toBe(before)
  })

  it('requires the passkey and the permission', async () => {
    const seen = await audit()
    const reply = await fix(seen, server.as('payroll.audit'))
    expect(reply.status).toBe(403)
    expect(reply.failure.code).toBe('step_up_required')
    const others = server.asSteppedUp('payroll.details', 'payroll.settings', 'payroll.summary')
    expect((await fix(seen, others)).status).toBe(403)
    expect((await others.send(previewFix, { body: seen as never })).status).toBe(403)
    expect((await others.send(listAdjustments)).status).toBe(403)
    expect((await others.send(undoFix, { body: { operation_id: 1 } })).status).toBe(403)
  })
})

describe('P8 a fix and its undo', () => {
  it.each(['payroll_adjustments', 'payroll_operations', 'payroll_undos'])('are append-only in %s', async (table) => {
    await whileFixed(async () => {})
    const { rows } = await sql`select from ${sql.table(table)}`.execute(server.db)
    expect(rows.length).toBeGreaterThan(0)
    for (const change of [
      `update ${table} set created_at = now()`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ])
      await expect(sql.raw(change).execute(server.db)).rejects.toThrow(/append-only|permission denied/)
  })
})

describe('POST /api/payroll/adjustments/undo', () => {
  it('rejects a fix that is unknown, undone, closed or followed by a later fix', async () => {
    expect((await undo(987_654)).status).toBe(404)
    const reply = await fix(await audit())
    const first = reply.body.operation_id
    const extra = await makeEntry(server.db, {
      earner_id: (await audit()).earner_summary ? Number(Object.keys((await audit()).earner_summary)[0]) : 0,
      work_date: '2026-10-26',
      amount: '5000',
    })
    const second = await fix(await audit())
    expect(second.body.applied).toBeGreaterThan(2)
    expect((await undo(first)).failure.code).toBe('later_fix')
    expect((await undo(second.body.operation_id)).status).toBe(200)
    expect((await undo(second.body.operation_id)).failure.code).toBe('already_undone')
    const period = await makePeriod(server.db, '2026-10-26')
    expect(extra.pay_period_id).toBe(period.id)
    expect((await clerk.send(closePeriod, { body: { period_id: period.id } })).status).toBe(200)
    expect((await undo(first)).failure.code).toBe('period_closed')
    const { body } = await clerk.send(listAdjustments, { query: { operation_id: String(first) } })
    expect(body.adjustments[0]).toMatchObject({ can_undo: false, status: 'applied' })
  })
})

type Path = readonly (string | number)[]

/** Paths of all values in a body, except the time of the run. */
function leafPaths(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([key, inner]) => (key === 'run_at' ? [] : leafPaths(inner, [...at, key])))
}

function tamperValue(value: unknown, path: Path, by: number) {
  let holder = value as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>
  const last = path.at(-1) ?? ''
  const old = holder[last]
  if (typeof old === 'number') holder[last] = Math.round((old + by) * 10_000) / 10_000
  else if (typeof old === 'boolean') holder[last] = !old
  else holder[last] = `${String(old)}${by > 0 ? ' ' : '0'}`
}

/** The body with one to four changed values. */
const tampered = (seen: AuditResult) =>
  fc
    .array(fc.tuple(fc.constantFrom(...leafPaths(seen)), fc.constantFrom(0.0001, -0.01, 1, 100, -5, 0.5, 1e6)), {
      minLength: 1,
      maxLength: 4,
    })
    .map((changes) => {
      const body = structuredClone(seen)
      for (const [path, by] of changes) tamperValue(body, path, by)
      return body
    })
    .filter((body) => JSON.stringify(body) !== JSON.stringify(seen))
