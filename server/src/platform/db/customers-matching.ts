import { sql } from 'kysely'
import { containing, lookupPatterns } from './like.ts'

/** So many of whom a text means are weighed in a finder that shows a handful. */
const MAX_MATCHES = 200

/** The ids of customers whose name, address or phone number holds a text, for finders: so many stretchers, and so many of all. */
export const customersMatching = (text: string) => sql`
  select id from customers_named(${lookupPatterns(text)}::text[], ${sql.lit(MAX_MATCHES)}) id
  union (select customer_id from stretchers where lower(first_name || ' ' || last_name || ' ' || email) like lower(${containing(text)})
    limit ${sql.lit(MAX_MATCHES)})`
