import { referralCalls } from '@limber/contract/growth/referrals/referral-sync.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Route, serve } from '#platform/http/routes.ts'
import { findRecord, walkChanges } from '#platform/sync/walk-changes.ts'
import { findReferralRecords, type ReferralRow } from './referral-sync.queries.ts'

function referrerOf({ kind, referrer_id, worker_email }: ReferralRow) {
  if (kind === 'user') return { customer: referrer_id }
  return kind === 'stretcher' ? { stretcher: referrer_id } : { worker_email: worker_email ?? '' }
}

async function loadReferrals(db: Db, ids: readonly number[]) {
  const rows = await findReferralRecords(db, ids)
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
