import { SessionState } from '@limber/contract/businesses/blocks/block.ts'
import { Day } from '@limber/contract/kit/values.ts'
import { z } from 'zod'

const id = z.coerce.number().int().min(0).catch(0)

/** What the URL of the calendar of on-site sessions keeps. */
export const CalendarSearch = z.object({
  /** A day of the week that is shown; none: this one. */
  week: z.union([z.literal(''), Day]).catch(''),
  zone: id,
  stretcher: id,
  /** None: all that were not cancelled. */
  status: z.union([z.literal(''), SessionState]).catch(''),
  view: z.enum(['week', 'list']).catch('week'),
  /** The session that is open. */
  session: id,
})
export type CalendarSearch = z.output<typeof CalendarSearch>
export type ChangeCalendar = (change: Partial<CalendarSearch>, how?: { replace?: boolean }) => void

export const noFilters = { zone: 0, stretcher: 0, status: '' } as const
