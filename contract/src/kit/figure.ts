import { z } from 'zod'
import { Pagination, pageQuery } from './page.ts'
import { Day, Id } from './values.ts'

/** A number on a screen, with its definition in plain language. */
export interface FigureDefinition {
  label: string
  /** How the figure is calculated, in a sentence that a worker can verify. */
  formula: string
  /** What the figure sums or averages. Without it, the figure counts rows. */
  unit?: 'dollars' | 'credits' | 'rewards' | 'stars' | 'minutes' | 'milliseconds' | 'days' | 'events'
  /** The figures it is calculated from. */
  parts?: readonly string[]
  /** What stands after each part, such as `÷`. */
  signs?: readonly string[]
}

/** One person, session, payment or other record behind a figure. */
export const FigureRow = z.object({
  id: Id,
  name: z.string(),
  detail: z.string().nullable(),
  /** The zone, or the city for customers outside every zone. */
  place: z.string().nullable(),
  /** The day the row counts for, in the company's time zone. */
  day: Day.nullable(),
  /** What the row adds to the figure, in its unit; for a figure that counts rows, the price. */
  amount: z.number().nullable(),
  /** The customer to link to. */
  userId: Id.nullable(),
})
export type FigureRow = z.infer<typeof FigureRow>

/** The query parameters of the rows behind a figure. */
export const figurePage = pageQuery({ limit: 20 })

/** The rows can be searched by name, detail and place. The figure is of all of them. */
export const figureSearch = { search: z.string().trim().max(100).default('') }

/** The rows behind a figure, and the figure calculated from them. */
export const figureReply = {
  /** Their count, sum, average or median. Null for an average of no rows. */
  value: z.number().nullable(),
  rows: z.array(FigureRow),
  pagination: Pagination,
}
