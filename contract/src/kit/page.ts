import { z } from 'zod'
import { WholeText } from './values.ts'

/** What every paged list accepts in its query. */
export const pageQuery = (defaults: { limit: number; most?: number }) => ({
  page: WholeText(1, 1_000_000).default(1),
  limit: WholeText(1, defaults.most ?? 100).default(defaults.limit),
})

/** What every paged list replies beside its rows. */
export const Pagination = z.object({
  page: z.int(),
  limit: z.int(),
  totalItems: z.int(),
  totalPages: z.int(),
})
export type Pagination = z.infer<typeof Pagination>

/** The pagination of a page, from the number of rows in all. */
export const paginate = (page: number, limit: number, totalItems: number): Pagination => ({
  page,
  limit,
  totalItems,
  totalPages: Math.max(1, Math.ceil(totalItems / limit)),
})
