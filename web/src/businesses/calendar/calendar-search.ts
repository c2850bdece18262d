import { SessionState } from '@limber/contract/businesses/blocks/block.ts'
import { Day } from '@limber/contract/kit/values.ts'
import { z } from 'zod'

const id = z.coerce.number().int().min(0).catch(0)

/** The URL parameters of the on-site calendar. */
export const CalendarSearch = z.object({
  /** A day in the selected week; empty for the current week. */
  week: z.union([z.literal(''), Day]).catch(''),
  /** The day that a narrow window shows; empty for today, or the first day with a session. */
  day: z.union([z.literal(''), Day]).catch(''),
  zone: id,
  stretcher: id,
  /** Empty: all sessions that were not canceled. */
  status: z.union([z.literal(''), SessionState]).catch(''),
  view: z.enum(['week', 'list']).catch('week'),
  /** The open session. */
  session: id,
})
export type CalendarSearch = z.output<typeof CalendarSearch>
export type ChangeCalendar = (change: Partial<CalendarSearch>, how?: { replace?: boolean }) => void

export const noFilters = { zone: 0, stretcher: 0, status: '' } as const
