import { type AuditResult, runAudit } from '@limber/contract/payroll/audit/audit.ts'
import { explainEntry } from '@limber/contract/payroll/audit/explanation.ts'
import { readSummary } from '@limber/contract/payroll/lists/summary.ts'
import { startTestServer, type TestServer } from '@limber/server/platform/testing/testing.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyWholeCompany, SEED_TIMEOUT } from './seed-company.testing.ts'

let server: TestServer
let recent: AuditResult

beforeAll(async () => {
  server = await startTestServer({ database: await copyWholeCompany() })
  recent = await audit({})
}, SEED_TIMEOUT)
afterAll(() => server.stop())

async function audit(body: object): Promise<AuditResult> {
  const reply = await server.as('payroll.audit').send(runAudit, { body })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const total = async (from: string) => {
  const { rows } = await server.running.services.pool.query<{ n: number }>(`select count(*)::int as n from ${from}`)
  return rows[0]?.n ?? 0
}

describe('payroll of the sample company', () => {
  it('has 14 months of entries for stretchers and staff, one for each completed session', async () => {
    expect(
      await total(`(select distinct date_trunc('month', pay_date) from payroll_entries where status = 'paid') m`),
    ).toBeGreaterThanOrEqual(14)
    expect(await total('earners where worker_id is not null')).toBeGreaterThan(10)
    const sessions = await total(`bookings where status = 'completed'`)
    expect(await total('payroll_entries where booking_id is not null')).toBe(sessions)
    const onsiteSessions = `onsite_sessions o join businesses u on u.id = o.business_id join zones z on z.id = u.zone_id
      where o.cancelled_at is null and o.ends_at <= '${server.clock.now().toISOString()}' and (o.starts_at at time zone z.time_zone)::date
        >= (select min(effective_from) from payroll_settings where onsite_hourly_pay is not null)`
    expect(await total(onsiteSessions)).toBeGreaterThan(3)
    expect(await total('payroll_entries where onsite_session_id is not null')).toBe(await total(onsiteSessions))
    expect(await total(`payroll_entries where status = 'pending'`)).toBeGreaterThan(20)
    expect(await total('pay_periods where closed_at is not null')).toBeGreaterThan(20)
    expect(await total('payroll_adjustments')).toBe(10)
  })

  it('has transactions that match the summary, including settlements', async () => {
    expect(await total('payroll_settlements')).toBeGreaterThan(3)
    const { rows } = await server.running.services.pool.query<{ pay: string; deposits: string }>(
      `select sum(amount) filter (where earner_id is not null) as pay, sum(amount) filter (where earner_id is null) as deposits
       from payroll_transactions`,
    )
    const { netPay, totalTaxes, unsettled } = (await server.as('payroll.summary').send(readSummary)).body
    expect(netPay.toFixed(4)).toBe(rows[0]?.pay)
    expect(totalTaxes.toFixed(4)).toBe(rows[0]?.deposits)
    expect(unsettled).toEqual({ owed: 0, toWithhold: 0, deposits: 0 })
  })

  it('shows every seeded cause in the last 30 days', async () => {
    const causes = new Map<string, number>()
    for (const { payroll_id } of recent.discrepancies) {
      const { body } = await server.as('payroll.audit').send(explainEntry, { params: { id: String(payroll_id) } })
      for (const { cause } of body.likely_causes) causes.set(cause, (causes.get(cause) ?? 0) + 1)
    }
    expect([...causes.keys()].toSorted()).toEqual(
      [
        'double_entry',
        'late_status_change',
        'missing_withholding',
        'provisional_rate',
        'rate_change',
        'rounding',
        'wage_base',
        'wrong_filing_status',
      ].toSorted(),
    )
    expect(recent.warnings).toBeGreaterThan(2)
  }, 60_000)

  it('has no discrepancies before that', async () => {
    const before = await audit({ startDate: '2025-09-01', endDate: '2026-10-17' })
    expect(before.total_entries_checked).toBeGreaterThan(5000)
    expect(before.discrepancies).toEqual([])
  })
})
