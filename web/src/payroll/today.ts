import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { checkDiscrepancies } from '@limber/contract/payroll/audit/audit.ts'
import { listPeriods } from '@limber/contract/payroll/entries/period.ts'
import { IconCalendarStats, IconReceiptTax } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { TodayItem } from '#platform/routing/sections.ts'
import { momentText } from '#ui/format/moment-text.ts'
import { today } from './labels.ts'

const common = {
  id: 'payroll.discrepancies',
  need: 'tidy',
  path: hrefTo('/worker/managing/tax-audit'),
  icon: IconReceiptTax,
  action: { label: 'Open' },
} as const
/** An unfinished check must not look like one without findings. */
const unfinished = { running: 'The hourly tax check is running', failed: 'The hourly tax check failed' }

/** Significant discrepancies of the hourly check; warnings are left out. */
export async function findDiscrepancies(signal: AbortSignal): Promise<TodayItem[]> {
  const { state, result, checked_at, fixed_since } = await send(checkDiscrepancies, {}, { signal })
  if (state === 'running' || state === 'failed') return [{ ...common, title: unfinished[state] }]
  if (!result || result.significant === 0) return []
  return [
    {
      ...common,
      need: 'broken',
      title: pluralize(result.significant, 'significant tax discrepancy', 'significant tax discrepancies'),
      detail: `Last 30 days, checked at ${momentText(checked_at, 'time')}${fixed_since ? ', before the latest fix' : ''}`,
      path: hrefTo('/worker/managing/tax-audit', { severity: 'significant' }),
      action: { label: 'Review fixes' },
    },
  ]
}

const PERIODS = '20'

/** Paid pay periods that can be closed. */
export async function findOpenPeriods(signal: AbortSignal): Promise<TodayItem[]> {
  const { periods } = await send(listPeriods, { query: { limit: PERIODS } }, { signal })
  const paid = periods.filter(({ status, pay_date }) => status === 'open' && pay_date < today())
  const oldest = paid.at(-1)
  if (!oldest) return []
  return [
    {
      id: 'payroll.periods',
      need: 'tidy',
      title: pluralize(paid.length, 'paid pay period is still open', 'paid pay periods are still open'),
      detail: `The oldest is ${formatDayRange(oldest.starts_on, oldest.ends_on)}`,
      path: hrefTo('/worker/financial/periods'),
      icon: IconCalendarStats,
      action: { label: 'Close…' },
    },
  ]
}
