import { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { ErrorSort, ErrorSource, ErrorState, StatusClass } from '@limber/contract/tech/errors/error-log.ts'
import { z } from 'zod'

const any = z.literal('')

/** URL parameters of the error log, besides the page. */
export const ErrorSearch = z.object({
  timeframe: Timeframe.catch('week'),
  class: StatusClass.or(any).catch(''),
  source: ErrorSource.or(any).catch(''),
  state: ErrorState.or(any).catch(''),
  q: z.string().max(200).catch(''),
  sort: ErrorSort.catch('-lastSeen'),
  error: z.coerce.number().int().min(0).catch(0),
  before: z.string().max(40).catch(''),
})
export type ErrorSearch = z.output<typeof ErrorSearch>
