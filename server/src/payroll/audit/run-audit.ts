import type { AuditResult, Discrepancy } from '@limber/contract/payroll/audit/audit.ts'
import { MAX_DISCREPANCIES } from '@limber/contract/payroll/audit/audit.ts'
import { type FilingStatus, TAX_NOTICE, writeDollars } from '@limber/contract/payroll/values.ts'
import type { Db } from '#platform/db/db.ts'
import { effectiveOn } from '../entries/effective.rules.ts'
import { findHistoryWages, type HistoryWages } from '../history/history.queries.ts'
import { readRate } from '../tax/amount.rules.ts'
import { tablesOf } from '../tax/tables.rules.ts'
import { defaultTaxProfile, type TaxProfile } from '../tax/tax-profile.rules.ts'
import {
  countPaidEntries,
  type EntryRow,
  findEarnerNames,
  findPeriods,
  findProfiles,
  findSettings,
  type ProfileRow,
  type Range,
  readPaidEntries,
  readWagesBefore,
  type SettingsRow,
} from './audit.queries.ts'
import {
  calculateGroup,
  groupEntries,
  type PaidElsewhere,
  type PaidEntry,
  type PayGroup,
  severityOf,
  yearOf,
} from './audit.rules.ts'
import { taxProfileOf } from './tax-profile.ts'

const BATCH_SIZE = 5_000
/** Discrepancies above the limit that are collected before the oldest are dropped. */
const LIST_BUFFER = 5_000

interface AuditContext {
  profiles: Map<number, ProfileRow[]>
  settings: SettingsRow[]
  periods: Map<number, Awaited<ReturnType<typeof findPeriods>>[number]>
  names: Map<number, string>
  /** Limber's own wages of the year before the range. */
  wagesBefore: Map<number, bigint>
  elsewhere: Map<number, PaidElsewhere[]>
}

type EarnerSummary = AuditResult['earner_summary'][string]

/** Accumulates the result of an audit in exact amounts. */
class Findings {
  readonly summary: Record<string, EarnerSummary> = {}
  discrepancies: Discrepancy[] = []
  readonly years = new Set<number>()
  entries = 0
  found = 0
  employee = 0n
  employer = 0n
  significant = 0

  /** Counts every discrepancy but stores only as many as can be listed, which bounds the memory. */
  add(discrepancy: Discrepancy) {
    this.found += 1
    if (discrepancy.severity === 'significant') this.significant += 1
    this.discrepancies.push(discrepancy)
    if (this.discrepancies.length >= MAX_DISCREPANCIES + LIST_BUFFER) this.discrepancies = this.listed()
  }

  /** The newest discrepancies, up to the limit. */
  listed(): Discrepancy[] {
    return this.discrepancies
      .sort((a, b) => (a.date === b.date ? b.payroll_id - a.payroll_id : a.date < b.date ? 1 : -1))
      .slice(0, MAX_DISCREPANCIES)
  }
}

export const toPaidEntry = (row: EntryRow): PaidEntry & { row: EntryRow } => ({
  id: row.id,
  periodId: row.pay_period_id,
  payDate: row.pay_date,
  type: row.type,
  amount: BigInt(row.amount),
  employeeRecorded: BigInt(row.withheld + row.employee_adjustment),
  employerRecorded: BigInt(row.employer_tax + row.employer_adjustment),
  row,
})

const periodIn = (periods: AuditContext['periods'], id: number) => {
  const period = periods.get(id)
  if (!period) throw new Error(`Pay period ${id} does not exist`)
  return period
}

function auditGroup(group: PayGroup, earnerId: number, of: AuditContext, taxProfile: TaxProfile, into: Findings) {
  const period = periodIn(of.periods, group.periodId)
  const uiRate = readRate(effectiveOn(of.settings, group.payDate)?.ui_rate ?? '0')
  const due = calculateGroup(group, { taxProfile, frequency: period.frequency, uiRate })
  if (group.wages > 0n) into.years.add(yearOf(group.payDate))
  const sums = { employee: 0n, employer: 0n, listed: 0 }
  for (const [index, entry] of group.entries.entries()) {
    const employee = entry.employeeRecorded - (due.employee[index] ?? 0n)
    const employer = entry.employerRecorded - (due.employer[index] ?? 0n)
    const severity = severityOf(employee, employer)
    if (!severity) continue
    sums.employee += employee
    sums.employer += employer
    sums.listed += 1
    into.add({
      payroll_id: entry.id,
      earner_id: earnerId,
      amount: writeDollars(entry.amount),
      date: entry.payDate,
      employee_discrepancy: {
        calculated_tax: writeDollars(due.employee[index] ?? 0n),
        withheld_tax: writeDollars(entry.employeeRecorded),
        discrepancy: writeDollars(employee),
      },
      employer_discrepancy: {
        calculated_tax: writeDollars(due.employer[index] ?? 0n),
        paid_tax: writeDollars(entry.employerRecorded),
        discrepancy: writeDollars(employer),
      },
      earner_name: of.names.get(earnerId) ?? '',
      filing_status: taxProfile.filingStatus,
      type: entry.type,
      severity,
      is_period_closed: period.closed_at !== null,
    })
  }
  return sums
}

function auditEarner(rows: readonly EntryRow[], startDate: string, of: AuditContext, into: Findings) {
  const earnerId = rows[0]?.earner_id ?? 0
  const profiles = of.profiles.get(earnerId) ?? []
  const before = { year: yearOf(startDate), wages: of.wagesBefore.get(earnerId) ?? 0n }
  const sums = { employee: 0n, employer: 0n, listed: 0 }
  let status: FilingStatus = defaultTaxProfile.filingStatus
  for (const group of groupEntries(rows.map(toPaidEntry), before, of.elsewhere.get(earnerId))) {
    const taxProfile = taxProfileOf(effectiveOn(profiles, group.payDate))
    status = taxProfile.filingStatus
    const found = auditGroup(group, earnerId, of, taxProfile, into)
    sums.employee += found.employee
    sums.employer += found.employer
    sums.listed += found.listed
  }
  into.entries += rows.length
  into.employee += sums.employee
  into.employer += sums.employer
  into.summary[earnerId] = {
    filing_status: status,
    employee_total_discrepancy: writeDollars(sums.employee),
    employer_total_discrepancy: writeDollars(sums.employer),
    entries: rows.length,
    name: of.names.get(earnerId) ?? '',
    discrepancies: sums.listed,
  }
}

/** Wages from elsewhere by earner. */
async function readElsewhere(db: Db, range: Range): Promise<Map<number, PaidElsewhere[]>> {
  const byEarner = Map.groupBy(await findHistoryWages(db, range), ({ earner_id }) => earner_id)
  return new Map([...byEarner].map(([earner, rows]) => [earner, rows.map(toPaidElsewhere)]))
}

export const toPaidElsewhere = ({ pay_date, wages }: HistoryWages): PaidElsewhere => ({
  payDate: pay_date,
  wages: BigInt(wages),
})

async function readContext(db: Db, range: Range): Promise<AuditContext> {
  const profiles = await findProfiles(db)
  const periods = await findPeriods(db)
  return {
    profiles: Map.groupBy(profiles, ({ earner_id }) => earner_id),
    settings: await findSettings(db),
    periods: new Map(periods.map((period) => [period.id, period])),
    names: await findEarnerNames(db),
    wagesBefore: await readWagesBefore(db, range.startDate),
    elsewhere: await readElsewhere(db, range),
  }
}

export type Progress = (done: number, total: number) => void

/** Compares recorded with calculated taxes for all pay dates in a range. `db` must be a transaction. */
export async function auditRange(
  db: Db,
  range: Range,
  today: string,
  onProgress: Progress = () => {},
): Promise<AuditResult> {
  const of = await readContext(db, range)
  const total = await countPaidEntries(db, range)
  const findings = new Findings()
  let earnerRows: EntryRow[] = []
  for await (const rows of readPaidEntries(db, range, BATCH_SIZE)) {
    for (const row of rows) {
      if (earnerRows[0] && earnerRows[0].earner_id !== row.earner_id) {
        auditEarner(earnerRows, range.startDate, of, findings)
        earnerRows = []
      }
      earnerRows.push(row)
    }
    onProgress(findings.entries, total)
  }
  if (earnerRows.length > 0) auditEarner(earnerRows, range.startDate, of, findings)
  return present(findings, range, effectiveOn(of.settings, today)?.version ?? 0)
}

function present(findings: Findings, { startDate, endDate }: Range, settingsVersion: number): AuditResult {
  const { found, significant } = findings
  return {
    period_start: startDate,
    period_end: endDate,
    total_entries_checked: findings.entries,
    total_discrepancies: found,
    total_employee_discrepancy: writeDollars(findings.employee),
    total_employer_discrepancy: writeDollars(findings.employer),
    earner_summary: findings.summary,
    discrepancies: findings.listed(),
    significant,
    warnings: found - significant,
    is_cut: found > MAX_DISCREPANCIES,
    settings_version: settingsVersion,
    tables: [...findings.years].sort().map((year) => ({ year, publications: publicationsOf(year) })),
    notice: TAX_NOTICE,
  }
}

/** The publications of a year's tax tables. */
export function publicationsOf(year: number): string[] {
  const { federal, socialSecurity, futa, pit, sdi } = tablesOf(year)
  return [federal, socialSecurity, futa, pit, sdi].map(({ publication }) => publication)
}
