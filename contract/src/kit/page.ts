import { z } from 'zod'
import { IntegerText } from './values.ts'

/** What every paged list accepts in its query. */
export const pageQuery = (defaults: { limit: number; max?: number }) => ({
  page: IntegerText(1, 1_000_000).default(1),
  limit: IntegerText(1, defaults.max ?? 100).default(defaults.limit),
})

/** Large lists are counted so far and no further: a page must not cost more the more rows there are. */
export const MAX_COUNTED = 10_000

/** What every paged list replies beside its rows. */
export const Pagination = z.object({
  page: z.int(),
  limit: z.int(),
  totalItems: z.int(),
  totalPages: z.int(),
  /** There are more than these; said only when it is so. */
  isMore: z.boolean().optional(),
})
export type Pagination = z.infer<typeof Pagination>

/** The pagination of a page, from the number of rows in all. */
export const paginate = (page: number, limit: number, totalItems: number): Pagination => ({
  page,
  limit,
  totalItems,
  totalPages: Math.max(1, Math.ceil(totalItems / limit)),
})

/** The same from a number that was counted to one more than `MAX_COUNTED` at most. */
export const paginateUpTo = (page: number, limit: number, counted: number): Pagination => ({
  ...paginate(page, limit, Math.min(counted, MAX_COUNTED)),
  ...(counted > MAX_COUNTED && { isMore: true }),
})
