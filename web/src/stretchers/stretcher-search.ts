import { StretcherFilter } from '@limber/contract/stretchers/stretcher.ts'
import { z } from 'zod'

/** Search parameters of the stretchers screen. Sorting has its own. */
export const StretcherSearch = z.object({
  q: z.string().max(100).catch(''),
  status: StretcherFilter.catch('all'),
  zone: z
    .string()
    .regex(/^(none|[1-9]\d{0,15})$/)
    .or(z.literal(''))
    .catch(''),
  page: z.coerce.number().int().min(1).catch(1),
  /** The open form that adds one. */
  mode: z.enum(['', 'create', 'promote']).catch(''),
  stretcher: z.coerce.number().int().min(0).catch(0),
})
export type StretcherSearch = z.output<typeof StretcherSearch>
