import { checkDiscrepancies } from '@limber/contract/payroll/audit.ts'
import { IconReceiptTax } from '@tabler/icons-react'
import { send } from '#platform/api.ts'
import type { TodayItem } from '#platform/sections.ts'
import { momentText } from '#ui/moment-text.ts'
import { counted } from './words.ts'

/** Significant differences that the hourly check found; warnings can wait. */
export async function findDiscrepancies(signal: AbortSignal): Promise<TodayItem[]> {
  const { result, checked_at } = await send(checkDiscrepancies, {}, { signal })
  if (!result || result.significant === 0) return []
  return [
    {
      id: 'payroll.discrepancies',
      title: counted(result.significant, 'significant tax discrepancy', 'significant tax discrepancies'),
      detail: `last 30 days, checked at ${momentText(checked_at, 'time')}`,
      path: '/worker/managing/tax-audit?severity=significant',
      icon: IconReceiptTax,
    },
  ]
}
