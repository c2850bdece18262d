import { type Explanation, explainEntry } from '@limber/contract/payroll/audit/explanation.ts'
import { isWage, type Side, TAX_NOTICE, writeDollars } from '@limber/contract/payroll/values.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { effectiveOn } from '../entries/effective.rules.ts'
import { dayOf } from '../entries/period.rules.ts'
import { findHistoryWages } from '../history/history.queries.ts'
import { readRate } from '../tax/amount.rules.ts'
import type { Side as TaxSide } from '../tax/paycheck.rules.ts'
import { MissingTaxYearError } from '../tax/tables.rules.ts'
import {
  type EntryRow,
  findPeriods,
  findProfiles,
  findSettings,
  findYearOfEarner,
  type ProfileRow,
  type SettingsRow,
} from './audit.queries.ts'
import {
  groupEntries,
  type PaidEntry,
  type PayGroup,
  severityOf,
  shareSide,
  type Terms,
  taxesOf,
  yearOf,
} from './audit.rules.ts'
import { type CauseContext, findCause } from './cause.rules.ts'
import { presentComponents, presentTaxProfile, sourcesOf } from './explanation.present.ts'
import { findEntry } from './explanation.queries.ts'
import { toPaidElsewhere, toPaidEntry } from './run-audit.ts'
import { taxProfileOf } from './tax-profile.ts'

type Entry = PaidEntry & { row: EntryRow }

interface EntryContext {
  group: PayGroup<Entry>
  entry: Entry
  terms: Terms
  profiles: readonly ProfileRow[]
  settings: readonly SettingsRow[]
}

function explainSide({ group, entry, terms, profiles, settings }: EntryContext, side: Side, taxes: TaxSide) {
  const index = group.entries.findIndex(({ id }) => id === entry.id)
  const shares = shareSide(group, taxes).map((row) => row[index] ?? 0n)
  const calculated = shares.reduce((sum, share) => sum + share, 0n)
  const { row } = entry
  const recorded = BigInt(side === 'employee' ? row.withheld : row.employer_tax)
  const adjustments = BigInt(side === 'employee' ? row.employee_adjustment : row.employer_adjustment)
  const discrepancy = recorded + adjustments - calculated
  const profile = effectiveOn(profiles, group.payDate)
  const earlier = profile && profiles[profiles.indexOf(profile) - 1]
  const context: CauseContext = {
    group,
    entry,
    terms,
    side,
    recorded,
    discrepancy,
    rates: settings.map(({ effective_from, tax_rate }) => ({ from: effective_from, rate: readRate(tax_rate) })),
    rateOfDay: readRate(effectiveOn(settings, row.work_date)?.tax_rate ?? '0'),
    earlier: profile && taxProfileOf(earlier),
    recordedOn: profile && dayOf(profile.recorded_at),
    effectiveFrom: profile?.effective_from,
    duplicates: findDuplicates(group.entries),
  }
  const reply = {
    components: presentComponents(taxes.components, shares),
    calculated_tax: writeDollars(calculated),
    recorded: writeDollars(recorded),
    adjustments: writeDollars(adjustments),
    discrepancy: writeDollars(discrepancy),
    severity: severityOf(discrepancy) ?? null,
  }
  return { reply, cause: findCause(context) }
}

/** Sessions without a booking that match another entry of the same day, mapped to the id of that entry. */
function findDuplicates(entries: readonly Entry[]): Map<number, number> {
  const duplicates = new Map<number, number>()
  for (const one of entries) {
    if (one.type !== 'session' || one.row.booking_id !== null || one.row.onsite_session_id !== null) continue
    const original = entries.find(
      ({ id, type, amount, row }) =>
        id !== one.id &&
        !duplicates.has(id) &&
        type === one.type &&
        amount === one.amount &&
        row.work_date === one.row.work_date,
    )
    if (original) duplicates.set(one.id, original.id)
  }
  return duplicates
}

async function loadContext(
  db: Db,
  id: number,
  earnerId: number,
  payDate: string,
): Promise<EntryContext & { frequency: string }> {
  const [rows, elsewhere, profiles, settings, periods] = await Promise.all([
    findYearOfEarner(db, earnerId, payDate),
    findHistoryWages(db, { startDate: payDate, endDate: payDate }, earnerId),
    findProfiles(db, earnerId),
    findSettings(db),
    findPeriods(db),
  ])
  const before = { year: yearOf(payDate), wages: 0n }
  const groups = groupEntries(rows.map(toPaidEntry), before, elsewhere.map(toPaidElsewhere))
  const group = groups.find(({ entries }) => entries.some((one) => one.id === id))
  const entry = group?.entries.find((one) => one.id === id)
  const period = periods.find((one) => one.id === group?.periodId)
  if (!group || !entry || !period) throw new Error(`Entry ${id} was not found among the entries of its earner`)
  const taxProfile = taxProfileOf(effectiveOn(profiles, payDate))
  const uiRate = readRate(effectiveOn(settings, payDate)?.ui_rate ?? '0')
  const { frequency } = period
  return { group, entry, profiles, settings, terms: { taxProfile, frequency, uiRate }, frequency }
}

/** Explains the taxes of one paid entry. */
export async function explain(db: Db, id: number): Promise<Explanation> {
  const found = await findEntry(db, id)
  if (!found) throw refuse(explainEntry, 'unknown')
  if (found.status !== 'paid') throw refuse(explainEntry, 'not_paid')
  if (found.voided_at) throw refuse(explainEntry, 'voided')
  const context = await loadContext(db, id, found.earner_id, found.pay_date)
  const { group, terms, profiles } = context
  try {
    const taxes = taxesOf(group, terms)
    const employee = explainSide(context, 'employee', taxes.employee)
    const employer = explainSide(context, 'employer', taxes.employer)
    const year = yearOf(found.pay_date)
    return {
      payroll_id: id,
      earner_id: found.earner_id,
      earner_name: found.earner_name,
      type: found.type,
      status: found.status,
      amount: writeDollars(context.entry.amount),
      is_wage: isWage(found.type),
      work_date: found.work_date,
      pay_date: found.pay_date,
      period: {
        id: found.pay_period_id,
        starts_on: found.starts_on,
        ends_on: found.ends_on,
        frequency: context.frequency,
        is_closed: found.closed_at !== null,
      },
      wages: writeDollars(group.wages),
      wage_entries: group.entries.filter(({ type }) => isWage(type)).length,
      ytd_before: writeDollars(group.ytdBefore),
      ytd_history: writeDollars(group.ytdHistory),
      profile: presentTaxProfile(terms.taxProfile, effectiveOn(profiles, found.pay_date)?.effective_from),
      employee: employee.reply,
      employer: employer.reply,
      likely_causes: [employee.cause, employer.cause].filter((cause) => cause !== undefined),
      year,
      sources: sourcesOf(year),
      notice: TAX_NOTICE,
    }
  } catch (error) {
    throw error instanceof MissingTaxYearError
      ? refuse(explainEntry, 'no_tables', { values: { year: error.year } })
      : error
  }
}
