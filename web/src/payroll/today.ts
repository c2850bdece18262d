import { checkDiscrepancies } from '@limber/contract/payroll/audit.ts'
import { IconReceiptTax } from '@tabler/icons-react'
import { send } from '#platform/api.ts'
import type { TodaySource } from '#platform/sections.ts'
import { momentText } from '#ui/moment-text.ts'

/** Significant differences that the hourly check found; warnings can wait. */
export const discrepanciesToday: TodaySource = {
  id: 'payroll.discrepancies',
  permission: 'payroll.audit',
  find: async (signal) => {
    const { result, checked_at } = await send(checkDiscrepancies, {}, { signal })
    if (!result || result.significant === 0) return []
    const count = result.significant
    return [
      {
        id: 'payroll.discrepancies',
        title:
          count === 1
            ? '1 significant tax discrepancy'
            : `${count.toLocaleString('en-US')} significant tax discrepancies`,
        detail: `last 30 days, checked ${momentText(checked_at, 'time')}`,
        path: '/worker/managing/tax-audit?severity=significant',
        icon: IconReceiptTax,
      },
    ]
  },
}
