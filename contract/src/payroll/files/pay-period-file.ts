import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { IdText } from '#kit/values.ts'

export const PayPeriodFormat = z.enum(['register', 'gusto', 'quickbooks'])
export type PayPeriodFormat = z.infer<typeof PayPeriodFormat>

export const payPeriodFormatLabels: Readonly<Record<PayPeriodFormat, string>> = {
  register: 'Payroll register',
  gusto: 'Gusto import',
  quickbooks: 'QuickBooks journal',
}

/** A pay period as a file for another program. Canceled and voided entries are left out. */
export const downloadPayPeriod = defineCall({
  method: 'GET',
  path: '/api/payroll/periods/:id/files/:format',
  summary: 'Download a pay period as a register, a Gusto import or a QuickBooks journal (CSV)',
  permission: 'payroll.details',
  params: z.strictObject({ id: IdText, format: PayPeriodFormat }),
  reply: z.unknown(),
  replyType: 'stream',
  refusals: { unknown: [404, 'This pay period does not exist.'] },
})
