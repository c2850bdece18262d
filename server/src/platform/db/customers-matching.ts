import { sql } from 'kysely'
import { containing, lookupPatterns } from './like.ts'

/** Finders show a handful of results, so they rank at most this many matches. */
const MAX_MATCHES = 200

/** Ids of customers and stretchers whose name, email or phone number contains a text, for finders. */
export const customersMatching = (text: string) => sql`
  select id from customers_named(${lookupPatterns(text)}::text[], ${sql.lit(MAX_MATCHES)}) id
  union (select customer_id from stretchers where lower(first_name || ' ' || last_name || ' ' || email) like lower(${containing(text)})
    limit ${sql.lit(MAX_MATCHES)})`
