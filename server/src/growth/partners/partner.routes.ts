import {
  changePartner,
  listPartners,
  listPastSessions,
  listUpcomingSessions,
  MAX_RECIPIENTS,
  notePartner,
  readPartner,
  sendOutreach,
} from '@limber/contract/growth/partners/partner.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { insertNote, lockAddressedPartners, lockBusiness, PILOT_DAYS, savePartnership } from '#businesses/public.ts'
import { containing } from '#platform/db/like.ts'
import type { Work } from '#platform/db/work.ts'
import { checkVersion } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Context, serve } from '#platform/http/routes.ts'
import { checkBulkLimit } from '#support/public.ts'
import { presentDetail, presentPartner, presentSession } from './partner.present.ts'
import { countMatchingPartners, findNotes, findPartner, findPartners } from './partner.queries.ts'
import { decideStatusChange } from './partner.rules.ts'
import { findPartnerSessions } from './partner-session.queries.ts'
import { sendOutreachEmails } from './send-outreach.ts'

async function show({ db, now }: Pick<Work, 'db' | 'now'>, id: number) {
  const row = await findPartner(db, id, now)
  if (!row) throw refuse(readPartner, 'not_found')
  return presentDetail(row, await findNotes(db, id))
}

/** Refreshes the growth screens and the business administration, which show the same records. */
function publishPartner({ publish }: Pick<Work, 'publish'>, id: number | null) {
  publish('growth', { partner: id })
  publish('businesses', { business: id })
}

type SessionsContext = Pick<Context<typeof listPastSessions>, 'query' | 'db' | 'now'>

async function showSessions({ query, db, now }: SessionsContext, isPast: boolean) {
  const { page, limit, kind, businessId } = query
  const filter = { isPast, now, kind, businessId }
  const { total, rows } = await findPartnerSessions(db, filter, { limit, offset: (page - 1) * limit })
  return { sessions: rows.map(presentSession), pagination: paginate(page, limit, total) }
}

export const partnerRoutes = [
  serve(listPartners, async ({ query: { page, limit, search, status, kind }, db, now }) => {
    const filter = { pattern: search === '' ? undefined : containing(search), status, kind }
    const { total, ...kinds } = await countMatchingPartners(db, filter)
    const rows = await findPartners(db, filter, { limit, offset: (page - 1) * limit }, now)
    return { businesses: rows.map(presentPartner), pagination: paginate(page, limit, total), kinds }
  }),

  serve(readPartner, (context) => show(context, context.params.id)),

  serve(changePartner, async (context) => {
    const { params, body, db, now, worker, audit } = context
    const { id } = params
    const before = await lockBusiness(db, id)
    if (!before) throw refuse(changePartner, 'not_found')
    if (before.archived_at) throw refuse(changePartner, 'archived')
    await checkVersion(changePartner, before, body.version, () => show(context, id))
    const today = companyDay(now)
    const days = { today, pilotEndsOn: addDays(today, PILOT_DAYS) }
    const move = body.status === undefined ? undefined : decideStatusChange(body.status, body, days)
    if (typeof move === 'string') throw refuse(changePartner, move)
    const by = { business_id: id, worker_id: worker.workerId, created_at: now }
    const { kind: wasKind } = await show(context, id)
    const kind = body.kind && body.kind !== wasKind ? { kind: body.kind } : {}
    const { line = kind.kind && `Changed to ${kind.kind}.`, ...change } = { ...move, ...kind }
    const isChanged = Object.keys(change).length > 0
    if (isChanged) await savePartnership(db, id, change)
    const note = [line, body.note].filter(Boolean).join('\n')
    if (note !== '') {
      await insertNote(db, { ...by, stage: move?.stage ?? null, note })
      const about = { subject: 'business' as const, subjectId: id }
      const was = { stage: before.stage, renews_on: before.renews_on }
      audit(
        isChanged
          ? { action: 'partner_changed', ...about, before: was, after: { ...move, ...kind } }
          : { action: 'partner_noted', ...about },
      )
      publishPartner(context, id)
    }
    return show(context, id)
  }),

  serve(notePartner, async (context) => {
    const { params, body, db, now, worker, audit } = context
    if (!(await lockBusiness(db, params.id))) throw refuse(notePartner, 'not_found')
    const note = { business_id: params.id, worker_id: worker.workerId, stage: null, note: body.note, created_at: now }
    await insertNote(db, note)
    audit({ action: 'partner_noted', subject: 'business', subjectId: params.id })
    publishPartner(context, params.id)
    return show(context, params.id)
  }),

  serve(listUpcomingSessions, (context) => showSessions(context, false)),
  serve(listPastSessions, (context) => showSessions(context, true)),

  serve(sendOutreach, async (context) => {
    const { body, db, now, worker, audit, services } = context
    const people = new Set(body.recipients)
    if (people.size > MAX_RECIPIENTS) throw refuse(sendOutreach, 'too_many')
    const partners = await lockAddressedPartners(db, body.businessId, [...people])
    if (body.businessId !== null && !partners.some(({ id }) => id === body.businessId))
      throw refuse(sendOutreach, 'not_found')
    await checkBulkLimit(db, worker, people.size, now)
    const { skippedAddresses, ...counts } = await sendOutreachEmails(context, services, body, partners, worker.workerId)
    if (counts.sent === 0) throw refuse(sendOutreach, 'nobody_left')
    audit({
      action: 'partner_outreach_sent',
      subject: 'business',
      ...(body.businessId !== null && { subjectId: body.businessId }),
      after: { subject: body.subject, ...counts },
    })
    publishPartner(context, body.businessId)
    return { success: true as const, ...counts, skippedAddresses }
  }),
]
