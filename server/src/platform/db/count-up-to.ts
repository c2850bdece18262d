import { MAX_COUNTED } from '@limber/contract/kit/page.ts'
import { type RawBuilder, sql } from 'kysely'

/** How many rows a query without columns has, at most one more than are counted. */
export const countUpTo = (rows: RawBuilder<unknown>, most = MAX_COUNTED) =>
  sql<number>`(select count(*)::int from (${rows} limit ${sql.lit(most + 1)}) counted)`
