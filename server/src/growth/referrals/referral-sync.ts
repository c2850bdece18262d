import type { ReferralDecision, Suspicion } from '@limber/contract/growth/referrals/referral.ts'
import { referralCalls } from '@limber/contract/growth/referrals/referral-sync.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Route, serve } from '#platform/http/routes.ts'
import { findRecord, walkChanges } from '#platform/sync/walk-changes.ts'

interface ReferralRow extends Omit<Row<'referrals'>, 'reasons' | 'customer_id'> {
  reasons: Suspicion[]
  worker_email: string | null
  decision: ReferralDecision | null
}

function referrerOf({ kind, referrer_id, worker_email }: ReferralRow) {
  if (kind === 'user') return { customer: referrer_id }
  return kind === 'stretcher' ? { stretcher: referrer_id } : { worker_email: worker_email ?? '' }
}

async function loadReferrals(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return []
  const { rows } = await sql<ReferralRow>`
    select r.id, r.kind, r.referrer_id, r.joined_at, r.booked_at, r.converted_at, r.earnings, r.reasons,
      w.email as worker_email,
      (select v.decision from referral_reviews v where v.customer_id = r.customer_id order by v.id desc limit 1) as decision
    from referrals r left join workers w on r.kind = 'worker' and w.id = r.referrer_id
    where r.customer_id = any(${ids}::bigint[])`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    customer: row.id,
    referred_by: referrerOf(row),
    joined_at: row.joined_at.toISOString(),
    booked_at: row.booked_at?.toISOString() ?? null,
    converted_at: row.converted_at?.toISOString() ?? null,
    earnings: row.earnings,
    suspicions: row.reasons,
    decision: row.decision,
  }))
}

export const referralSyncRoutes: Route[] = [
  serve(referralCalls.list, ({ query, db }) => walkChanges(db, 'referrals', query, loadReferrals)),
  serve(referralCalls.read, async ({ params, db }) => {
    const found = await findRecord(db, 'referrals', params.id, loadReferrals)
    if (!found) throw refuse(referralCalls.read, 'not_found')
    return found
  }),
]
