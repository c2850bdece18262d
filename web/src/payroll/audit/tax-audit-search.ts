import { Day } from '@limber/contract/kit/values.ts'
import { Severity, Side } from '@limber/contract/payroll/values.ts'
import { z } from 'zod'

const day = Day.or(z.literal('')).catch('')
const id = z.coerce.number().int().min(0).catch(0)

/** URL parameters of the tax audit, besides the page and sort order of the list. */
export const TaxAuditSearch = z.object({
  view: z.enum(['audit', 'adjustments']).catch('audit'),
  from: day,
  to: day,
  severity: Severity.or(z.literal('')).catch(''),
  earner: id,
  /** The expanded entry. */
  entry: id,
  /** The entry whose fix is previewed. */
  fix: id,
  /** The page of the earner summary. */
  earners: z.coerce.number().int().min(1).catch(1),
  side: Side.or(z.literal('')).catch(''),
  status: z.enum(['applied', 'undone', '']).catch(''),
})
export type TaxAuditSearch = z.output<typeof TaxAuditSearch>
export type ChangeSearch = (change: Partial<TaxAuditSearch>, how?: { replace?: boolean }) => void
