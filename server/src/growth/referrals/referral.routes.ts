import {
  listReferrals,
  readReferral,
  readReferrals,
  reviewReferral,
} from '@limber/contract/growth/referrals/referral.ts'
import { paginateUpTo } from '@limber/contract/kit/page.ts'
import type { Db } from '#platform/db/db.ts'
import { containing } from '#platform/db/like.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { ensureFigures, findFiguresTime } from '../figures/current.ts'
import { refreshFigures } from '../figures/refresh-figures.ts'
import { noReferrals, presentEvent, presentReferral, presentReferralStats } from './referral.present.ts'
import {
  decrementToReview,
  findEvents,
  findReferral,
  findReferralFigures,
  findReferrals,
  insertReview,
  lockReferral,
} from './referral.queries.ts'

async function show(db: Db, id: number) {
  const row = await findReferral(db, id)
  if (!row) throw refuse(readReferral, 'not_found')
  return { ...presentReferral(row), events: (await findEvents(db, row)).map(presentEvent) }
}

export const referralRoutes = [
  serve(readReferrals, async ({ db, services }) => {
    await ensureFigures(services)
    let figures = await findReferralFigures(db)
    // The figures were stored before they included referrals.
    if (!figures) {
      await refreshFigures(services)
      figures = await findReferralFigures(db)
    }
    // Another process runs the first refresh, so there are no figures yet.
    const refreshedAt = figures ? await findFiguresTime(services) : null
    return {
      stats: figures ? presentReferralStats(figures) : noReferrals,
      toReview: figures?.to_review ?? 0,
      refreshedAt: refreshedAt?.toISOString() ?? null,
    }
  }),

  serve(listReferrals, async ({ query: { page, limit, search, ...filter }, db, services }) => {
    await ensureFigures(services)
    const pattern = search === '' ? undefined : containing(search)
    const { total, rows } = await findReferrals(db, { ...filter, pattern }, { limit, offset: (page - 1) * limit })
    return { referrals: rows.map(presentReferral), pagination: paginateUpTo(page, limit, total) }
  }),

  serve(readReferral, ({ params, db }) => show(db, params.id)),

  serve(reviewReferral, async ({ params: { id }, body, db, now, worker, audit, publish }) => {
    await lockReferral(db, id)
    const before = await findReferral(db, id)
    if (!before) throw refuse(reviewReferral, 'not_found')
    if (before.reasons.length === 0 && before.review_id === null) throw refuse(reviewReferral, 'not_suspicious')
    if (body.seenReview !== undefined && body.seenReview !== before.review_id)
      throw refuse(reviewReferral, 'stale', { current: await show(db, id) })
    const { decision, reason } = body
    if (before.review_id === null) await decrementToReview(db)
    await insertReview(db, { customer_id: id, decision, reason, worker_id: worker.workerId, created_at: now })
    audit({
      action: `referral_${decision}`,
      subject: 'referral',
      subjectId: id,
      before: { decision: before.decision, reasons: before.reasons },
      after: { decision },
    })
    publish('growth', { referral: id })
    return show(db, id)
  }),
]
