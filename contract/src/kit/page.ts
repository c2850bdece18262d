import { z } from 'zod'
import { IntegerText } from './values.ts'

/** The query parameters of every paged list. */
export const pageQuery = (defaults: { limit: number; max?: number }) => ({
  page: IntegerText(1, 1_000_000).default(1),
  limit: IntegerText(1, defaults.max ?? 100).default(defaults.limit),
})

/** Large lists stop counting here, so that the cost of a page does not grow with the number of rows. */
export const MAX_COUNTED = 10_000

/** What every paged list returns besides its rows. */
export const Pagination = z.object({
  page: z.int(),
  limit: z.int(),
  totalItems: z.int(),
  totalPages: z.int(),
  /** Set when there are more than `totalItems`. */
  isMore: z.boolean().optional(),
})
export type Pagination = z.infer<typeof Pagination>

export const paginate = (page: number, limit: number, totalItems: number): Pagination => ({
  page,
  limit,
  totalItems,
  totalPages: Math.max(1, Math.ceil(totalItems / limit)),
})

/** The same from a count that stops at `MAX_COUNTED + 1`. */
export const paginateUpTo = (page: number, limit: number, counted: number): Pagination => ({
  ...paginate(page, limit, Math.min(counted, MAX_COUNTED)),
  ...(counted > MAX_COUNTED && { isMore: true }),
})
