import { Day } from '@limber/contract/kit/values.ts'
import { EntryStatus, EntryType } from '@limber/contract/payroll/values.ts'
import { z } from 'zod'

const day = Day.or(z.literal('')).catch('')
const id = z.coerce.number().int().min(0).catch(0)

/** URL parameters of the payroll details, besides page and sort order. */
export const DetailsSearch = z.object({
  earner: id,
  period: id,
  type: EntryType.or(z.literal('')).catch(''),
  status: EntryStatus.or(z.literal('')).catch(''),
  from: day,
  to: day,
  /** The open entry. */
  entry: id,
})
export type DetailsSearch = z.output<typeof DetailsSearch>

/** Query parameters for the filters that are set. */
export const filterOf = ({ earner, period, type, status, from, to }: DetailsSearch) => ({
  ...(earner > 0 ? { earner_id: String(earner) } : {}),
  ...(period > 0 ? { period_id: String(period) } : {}),
  ...(type ? { type } : {}),
  ...(status ? { status } : {}),
  ...(from ? { from } : {}),
  ...(to ? { to } : {}),
})
