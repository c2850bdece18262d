import { sql } from 'kysely'
import { ERASED, type Erased } from '#platform/customer-hooks.ts'

export const eraseReviews = ({ ids }: Erased) => [
  sql`update referral_reviews set reason = ${ERASED} where customer_id = any(${ids}::bigint[])`,
]
