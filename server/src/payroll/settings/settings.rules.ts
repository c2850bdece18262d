import type { SettingsState } from '@limber/contract/payroll/settings/settings.ts'
import type { PayFrequency } from '@limber/contract/payroll/values.ts'
import { effectiveOn } from '../entries/effective.rules.ts'

export interface Terms {
  effective_from: string
  base_pay: string
  onsite_hourly_pay: string | null
  tax_rate: string
  pay_frequency: PayFrequency
  ui_rate: string
}

const fields = ['base_pay', 'onsite_hourly_pay', 'tax_rate', 'pay_frequency', 'ui_rate'] as const

const isSame = (one: string | null, other: string | null) =>
  one === other || (one !== null && other !== null && Number(one) === Number(other))

/** The state of a settings change on a day. `ordered` is sorted by effective date. */
export function stateOf<R extends Terms>(ordered: readonly R[], row: R, today: string): SettingsState {
  if (row === effectiveOn(ordered, today)) return 'in_force'
  if (row.effective_from <= today) return 'past'
  return row === effectiveOn(ordered, row.effective_from) ? 'planned' : 'replaced'
}

/**
 * Later scheduled changes, updated with a new change: fields that a scheduled change did not touch take the new values.
 * Otherwise it would restore the values from when it was scheduled.
 */
export function updateScheduledChanges(ordered: readonly Terms[], change: Terms): Terms[] {
  const days = new Set(ordered.map((row) => row.effective_from).filter((day) => day > change.effective_from))
  const plans: Terms[] = []
  let before = effectiveOn(ordered, change.effective_from)
  let after = change
  for (const day of days) {
    const plan = effectiveOn(ordered, day)
    if (!plan || !before) continue
    const last = before
    const untouched = fields.filter((field) => isSame(plan[field], last[field]))
    const { base_pay, onsite_hourly_pay, tax_rate, pay_frequency, ui_rate } = plan
    const next: Terms = {
      effective_from: day,
      base_pay,
      onsite_hourly_pay,
      tax_rate,
      pay_frequency,
      ui_rate,
      ...Object.fromEntries(untouched.map((field) => [field, after[field]])),
    }
    if (fields.some((field) => !isSame(next[field], plan[field]))) plans.push(next)
    before = plan
    after = next
  }
  return plans
}
