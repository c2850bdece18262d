import { sql } from 'kysely'
import type { Erased } from '#platform/customer-hooks.ts'

/** Error messages may contain the name of the person. */
export const eraseErrors = ({ ids }: Erased) => [
  sql`update error_groups set newest_text = null
    where id in (select group_id from error_people where person = any(${ids}::bigint[]))`,
]
