import type { EarnerDue, EarnerList, EarnerReply } from '@limber/contract/payroll/earners/earner.ts'
import { effectiveOn } from '../entries/effective.rules.ts'
import { dayOf } from '../entries/period.rules.ts'
import { dollars, presentSettlement } from '../lists/list.present.ts'
import type { DueRow, SettlementRow } from '../runs/settlement.queries.ts'
import type { EarnerRow, NamedProfileRow } from './earner.queries.ts'

export const presentProfile = (row: NamedProfileRow): EarnerReply['history'][number] => ({
  id: row.id,
  effective_from: row.effective_from,
  filing_status: row.filing_status,
  step2_checkbox: row.step2_checkbox,
  step3_credits: dollars(row.step3_credits),
  step4a_income: dollars(row.step4a_income),
  step4b_deductions: dollars(row.step4b_deductions),
  step4c_extra: dollars(row.step4c_extra),
  regular_allowances: row.regular_allowances,
  estimated_allowances: row.estimated_allowances,
  recorded_at: row.recorded_at.toISOString(),
  recorded_by: row.worker_name,
})

/** An earner with the tax profile effective on a day. */
export function presentEarner(
  { id, name, kind, person_id }: EarnerRow,
  profiles: readonly NamedProfileRow[],
  day: string,
): EarnerList['earners'][number] {
  const current = effectiveOn(profiles, day)
  return { id, name, kind, person_id, profile: current ? presentProfile(current) : null }
}

/** A correction of an earner's pay with its settlements. */
export const presentDue = (row: DueRow, settlements: readonly SettlementRow[]): EarnerDue => ({
  id: row.id,
  correction: row.void_id === null ? 'fix' : 'void',
  corrected_on: dayOf(row.created_at),
  operation_id: row.operation_id,
  payroll_id: row.void_id,
  reason: row.reason,
  amount: dollars(row.amount),
  remaining: dollars(row.remaining),
  settlements: settlements.filter(({ due_id }) => due_id === row.id).map(presentSettlement),
})
