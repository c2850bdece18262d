import {
  archiveBusiness,
  businessFieldNames,
  businessFields,
  type CreateBusiness,
  createBusiness,
  deleteBusiness,
  listBusinesses,
  readBusiness,
  restoreBusiness,
  type UpdateBusiness,
  updateBusiness,
} from '@limber/contract/businesses/business/business.ts'
import { pickFields } from '@limber/contract/kit/fields.ts'
import { formatTime } from '@limber/contract/kit/formats/dates.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { dayIn } from '@limber/contract/kit/zone-time.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { containing } from '#platform/db/like.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { findTimeZone } from '../zones/zone.queries.ts'
import { presentBusiness, presentBusinessRow } from './business.present.ts'
import {
  type BusinessDraft,
  type BusinessRecord,
  countBusinessUse,
  findBusiness,
  findBusinesses,
  insertBusiness,
  insertNote,
  isPathTaken,
  lockBusiness,
  removeBusiness,
  saveBusiness,
} from './business.queries.ts'
import { countInWords, PILOT_DAYS, pathProblem } from './business.rules.ts'

async function show(db: Db, id: number) {
  const business = await findBusiness(db, id)
  if (!business) throw refuse(readBusiness, 'not_found')
  return presentBusiness(business)
}

/** Refuses while the business has upcoming sessions, which can be canceled, or running ones, which must end first. */
async function checkNoUpcoming(
  call: typeof updateBusiness | typeof archiveBusiness,
  db: Db,
  { id, zone_name, time_zone }: BusinessRecord,
  now: Date,
) {
  const { upcoming, running_until } = await countBusinessUse(db, id, now)
  const zone = zone_name
  if (upcoming > 0) throw refuse(call, 'has_upcoming', { values: { what: countInWords({ session: upcoming }), zone } })
  if (!running_until) return
  const until = formatTime(running_until, { zone: time_zone })
  throw refuse(call, 'is_running', { values: { until, zone } })
}

/** The fields of a body. An empty form field means null. */
function draftOf(call: typeof createBusiness | typeof updateBusiness, body: CreateBusiness | UpdateBusiness) {
  const fault = pathProblem(body.custom_path)
  if (fault) throw refuse(call, fault)
  const given = businessFieldNames.filter((name) => body[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, body[name] === '' ? null : body[name]])) as BusinessDraft
}

export const businessRoutes = [
  serve(listBusinesses, async ({ query: { page, limit, search, state }, db, now }) => {
    const { total, hours, rows } = await findBusinesses(db, {
      pattern: search.trim() === '' ? undefined : containing(search.trim()),
      state,
      now,
      limit,
      offset: (page - 1) * limit,
    })
    return {
      businesses: rows.map(presentBusinessRow),
      pagination: paginate(page, limit, total),
      available_hours: hours,
    }
  }),

  serve(readBusiness, ({ params, db }) => show(db, params.id)),

  serve(createBusiness, async ({ body, db, worker, now, audit, publish }) => {
    const draft = draftOf(createBusiness, body)
    const zone = await findTimeZone(db, draft.zone_id)
    if (!zone) throw refuse(createBusiness, 'no_zone')
    const pilotEndsOn = dayIn(zone.time_zone, shift(now, PILOT_DAYS * DAY))
    const id = await insertBusiness(db, draft, pilotEndsOn, now)
    if (id === undefined) throw refuse(createBusiness, 'path_taken')
    const note = `${PILOT_DAYS}-day pilot started.`
    await insertNote(db, { business_id: id, worker_id: worker.workerId, stage: 'pending', note, created_at: now })
    audit({ action: 'business_created', subject: 'business', subjectId: id, after: draft })
    publish('businesses', { business: id })
    return show(db, id)
  }).expecting({ businesses_zone_id_fkey: 'no_zone' }),

  serve(updateBusiness, async ({ body, db, now, audit, publish }) => {
    const before = await loadForUpdate(updateBusiness, lockBusiness(db, body.id), body.version, presentBusiness)
    const draft = draftOf(updateBusiness, body)
    if (!(await findTimeZone(db, draft.zone_id))) throw refuse(updateBusiness, 'no_zone')
    if (await isPathTaken(db, draft.custom_path, body.id)) throw refuse(updateBusiness, 'path_taken')
    if (draft.zone_id !== before.zone_id) await checkNoUpcoming(updateBusiness, db, before, now)
    await saveBusiness(db, body.id, draft)
    audit({
      action: 'business_changed',
      subject: 'business',
      subjectId: body.id,
      before: pickFields(businessFields, before),
      after: draft,
    })
    publish('businesses', { business: body.id })
    return show(db, body.id)
  }).expecting({ businesses_custom_path_key: 'path_taken', businesses_zone_id_fkey: 'no_zone' }),

  serve(deleteBusiness, async ({ body, db, now, audit, publish }) => {
    const { name, custom_path, admin_email } = await loadForUpdate(
      deleteBusiness,
      lockBusiness(db, body.id),
      body.version,
      presentBusiness,
    )
    const { upcoming, running, past, cancelled, blocks, emails } = await countBusinessUse(db, body.id, now)
    const what = countInWords({
      'upcoming session': upcoming,
      'running session': running,
      'delivered session': past,
      'canceled session': cancelled,
    })
    if (upcoming + running + past + cancelled > 0) throw refuse(deleteBusiness, 'has_sessions', { values: { what } })
    await removeBusiness(db, body.id)
    audit({
      action: 'business_deleted',
      subject: 'business',
      subjectId: body.id,
      before: { name, custom_path, admin_email, blocks, emails },
    })
    publish('businesses', { business: body.id })
    return { id: body.id, deleted_blocks: blocks, deleted_emails: emails }
  }),

  serve(archiveBusiness, async ({ body, db, now, audit, publish }) => {
    const business = await loadForUpdate(archiveBusiness, lockBusiness(db, body.id), body.version, presentBusiness)
    if (business.archived_at) throw refuse(archiveBusiness, 'archived')
    await checkNoUpcoming(archiveBusiness, db, business, now)
    await saveBusiness(db, body.id, { archived_at: now })
    audit({ action: 'business_archived', subject: 'business', subjectId: body.id })
    publish('businesses', { business: body.id })
    return show(db, body.id)
  }),

  serve(restoreBusiness, async ({ body, db, audit, publish }) => {
    const business = await loadForUpdate(restoreBusiness, lockBusiness(db, body.id), body.version, presentBusiness)
    if (!business.archived_at) throw refuse(restoreBusiness, 'not_archived')
    await saveBusiness(db, body.id, { archived_at: null })
    audit({ action: 'business_restored', subject: 'business', subjectId: body.id })
    publish('businesses', { business: body.id })
    return show(db, body.id)
  }),
]
