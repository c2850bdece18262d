import { sql } from 'kysely'
import type { Erased } from '#platform/customer-hooks.ts'

/** What a failure said may name the person who met it. */
export const eraseErrors = ({ ids }: Erased) => [
  sql`update error_groups set newest_text = null
    where id in (select group_id from error_people where person = any(${ids}::bigint[]))`,
]
