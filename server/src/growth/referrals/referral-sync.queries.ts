import type { ReferralDecision, Suspicion } from '@limber/contract/growth/referrals/referral.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export interface ReferralRow extends Omit<Row<'referrals'>, 'reasons' | 'customer_id'> {
  reasons: Suspicion[]
  worker_email: string | null
  decision: ReferralDecision | null
}

export async function findReferralRecords(db: Db, ids: readonly number[]): Promise<ReferralRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ReferralRow>`
    select r.id, r.kind, r.referrer_id, r.joined_at, r.booked_at, r.converted_at, r.earnings, r.reasons,
      w.email as worker_email,
      (select v.decision from referral_reviews v where v.customer_id = r.customer_id order by v.id desc limit 1) as decision
    from referrals r left join workers w on r.kind = 'worker' and w.id = r.referrer_id
    where r.customer_id = any(${ids}::bigint[])`.execute(db)
  return rows
}
