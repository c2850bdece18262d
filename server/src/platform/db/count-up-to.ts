import { MAX_COUNTED } from '@limber/contract/kit/page.ts'
import { type RawBuilder, sql } from 'kysely'

/** Counts the rows of a query without columns, up to `max + 1`. */
export const countUpTo = (rows: RawBuilder<unknown>, max = MAX_COUNTED) =>
  sql<number>`(select count(*)::int from (${rows} limit ${sql.lit(max + 1)}) counted)`
