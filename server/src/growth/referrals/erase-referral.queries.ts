import { sql } from 'kysely'
import { ERASED, type Erased } from '#platform/customer-hooks.ts'
import type { Db } from '#platform/db/db.ts'

export const eraseReviews = (db: Db, { ids }: Erased) =>
  sql`update referral_reviews set reason = ${ERASED} where customer_id = any(${ids}::bigint[])`.execute(db)
