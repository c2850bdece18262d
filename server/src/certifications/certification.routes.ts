import {
  createCertification,
  deleteCertification,
  EXPIRING_DAYS,
  findHolders,
  LAPSED_DAYS,
  listCertifications,
  listDueCertifications,
  readCertification,
  revokeCertification,
  updateCertification,
} from '@limber/contract/certifications/certification.ts'
import type { BodyOf } from '@limber/contract/kit/call.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import type { Db } from '#platform/db/db.ts'
import { containing } from '#platform/db/like.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { presentCertification, presentHolder } from './certification.present.ts'
import {
  type CertificationDraft,
  type CertificationRecord,
  countByStatus,
  findCertification,
  findCertifications,
  findDue,
  findHolderRows,
  findRenewals,
  insertCertification,
  lockCertification,
  lockHolder,
  removeCertification,
  saveCertification,
} from './certification.queries.ts'
import { addMonths } from './certification.rules.ts'
import { findMissingCourses, lockTypeForUse } from './certification-type.queries.ts'

const MAX_HOLDERS = 8
const MAX_DUE = 50

async function show(db: Db, id: number, now: Date, publicUrl: string) {
  const row = await findCertification(db, id)
  if (!row) throw refuse(readCertification, 'not_found')
  return presentCertification(row, companyDay(now), publicUrl)
}

type ChangeCall = typeof updateCertification | typeof revokeCertification

interface LockRequest {
  id: number
  version: number | undefined
  now: Date
  publicUrl: string
}

/** Locks the certification. Refuses if it is missing, revoked or stale. */
function lockValid(
  call: ChangeCall,
  db: Db,
  { id, version, now, publicUrl }: LockRequest,
): Promise<CertificationRecord> {
  const find = async () => {
    const row = await lockCertification(db, id)
    // Checked before the version, because a revoked certification leaves no conflict to resolve.
    if (row?.revoked_at) throw refuse(call, 'revoked')
    return row
  }
  return loadForUpdate(call, find(), version, (row) => presentCertification(row, companyDay(now), publicUrl))
}

type Body = BodyOf<typeof createCertification>

/** Validates the body. On an edit, `before` supplies omitted dates. */
async function readDraft(
  call: typeof createCertification | typeof updateCertification,
  db: Db,
  body: Body,
  { today, before }: { today: string; before?: CertificationRecord },
): Promise<CertificationDraft> {
  // The current holder stays allowed, even if the account was merged or erased.
  const user = body.userId === before?.customer_id ? 'open' : await lockHolder(db, body.userId)
  if (user !== 'open') throw refuse(call, user ? 'closed_user' : 'no_user')
  const type = await lockTypeForUse(db, body.certificationTypeId)
  if (!type) throw refuse(call, 'no_type')
  if (type.retired_at && type.id !== before?.type_id) throw refuse(call, 'retired')
  if (body.userId !== before?.customer_id || type.id !== before.type_id) {
    const missing = await findMissingCourses(db, type.id, body.userId)
    if (missing.length > 0)
      throw refuse(call, 'courses_missing', { values: { name: body.name, courses: missing.join(', ') } })
  }
  const issued_on = body.dateIssued ?? before?.issued_on ?? today
  if (issued_on > today) throw refuse(call, 'future')
  const usual = type.valid_months === null ? null : addMonths(issued_on, type.valid_months)
  const valid_until = body.validUntil !== undefined ? body.validUntil : before ? before.valid_until : usual
  if (valid_until !== null && valid_until < issued_on) throw refuse(call, 'ends_before')
  const { name, instructor } = body
  return { customer_id: body.userId, type_id: type.id, name, instructor, issued_on, valid_until }
}

/** The fields that the audit log stores. */
const auditFields = ({ customer_id, type_id, name, instructor, issued_on, valid_until }: CertificationDraft) => ({
  customer_id,
  type_id,
  name,
  instructor,
  issued_on,
  valid_until,
})

const subject = (id: number) => ({ subject: 'certification' as const, subjectId: id })

const eventOf = (id: number, { customer_id }: { customer_id: number }) => ({
  of: 'certification' as const,
  ids: { certification: id, customer: customer_id },
})

export const certificationRoutes = [
  serve(listCertifications, async ({ query, db, now, services }) => {
    const { page, limit, search, status, type, user, sort, order } = query
    const today = companyDay(now)
    const soon = addDays(today, EXPIRING_DAYS)
    const { total, rows } = await findCertifications(db, {
      pattern: search === '' ? undefined : containing(search),
      status,
      typeId: type,
      userId: user,
      sort,
      order,
      today,
      soon,
      limit,
      offset: (page - 1) * limit,
    })
    return {
      certifications: rows.map((row) => presentCertification(row, today, services.config.publicUrl)),
      pagination: paginate(page, limit, total),
      counts: await countByStatus(db, today, soon),
    }
  }),

  serve(listDueCertifications, async ({ db, now }) => {
    const today = companyDay(now)
    const due = await findDue(db, today, MAX_DUE)
    const renewals = await findRenewals(db, {
      today,
      soon: addDays(today, EXPIRING_DAYS),
      since: addDays(today, -LAPSED_DAYS),
      limit: MAX_DUE,
    })
    return {
      due: due.map((row) => ({
        userId: row.user_id,
        userName: row.user_name,
        certificationTypeId: row.type_id,
        certificationName: row.type_name,
        completedAt: row.completed_at.toISOString(),
      })),
      renewals: renewals.map((row) => ({
        certificationId: row.id,
        userId: row.user_id,
        userName: row.user_name,
        certificationTypeId: row.type_id,
        certificationName: row.type_name,
        isRequired: row.is_required,
        validUntil: row.valid_until,
      })),
    }
  }),

  serve(readCertification, ({ params, db, now, services }) => show(db, params.id, now, services.config.publicUrl)),

  serve(findHolders, async ({ query: { search }, db }) => {
    const id = /^[1-9]\d{0,14}$/.test(search) ? Number(search) : undefined
    const rows = await findHolderRows(db, { search, id, limit: MAX_HOLDERS })
    return { holders: rows.map(presentHolder) }
  }),

  serve(createCertification, async ({ body, db, worker, now, audit, publish, emit, services }) => {
    const draft = await readDraft(createCertification, db, body, { today: companyDay(now) })
    const id = await insertCertification(db, draft, worker.workerId, now)
    audit({ action: 'certification_issued', ...subject(id), after: auditFields(draft) })
    emit({ type: 'stretcher.certified', ...eventOf(id, draft) })
    publish('certifications', { certification: id })
    return show(db, id, now, services.config.publicUrl)
  }),

  serve(updateCertification, async ({ params, body, db, now, audit, publish, emit, services }) => {
    const { publicUrl } = services.config
    const before = await lockValid(updateCertification, db, { id: params.id, version: body.version, now, publicUrl })
    const draft = await readDraft(updateCertification, db, body, { today: companyDay(now), before })
    const isMoved = draft.customer_id !== before.customer_id || draft.type_id !== before.type_id
    // The public page was seen, and a signed credential may exist that names this user and type.
    if (isMoved && before.first_opened_at) throw refuse(updateCertification, 'opened')
    await saveCertification(db, before.id, draft)
    audit({
      action: 'certification_changed',
      ...subject(before.id),
      before: auditFields(before),
      after: auditFields(draft),
    })
    if (isMoved) {
      emit({ type: 'certification.revoked', ...eventOf(before.id, before) })
      emit({ type: 'stretcher.certified', ...eventOf(before.id, draft) })
    }
    publish('certifications', { certification: before.id })
    return show(db, before.id, now, publicUrl)
  }),

  serve(revokeCertification, async ({ params, body, db, worker, now, audit, publish, emit, services }) => {
    const { publicUrl } = services.config
    const row = await lockValid(revokeCertification, db, { id: params.id, version: body.version, now, publicUrl })
    const { id } = row
    await saveCertification(db, id, { revoked_at: now, revoke_reason: body.reason, revoked_by: worker.workerId })
    audit({ action: 'certification_revoked', ...subject(id) })
    emit({ type: 'certification.revoked', ...eventOf(id, row) })
    publish('certifications', { certification: id })
    return show(db, id, now, publicUrl)
  }),

  serve(deleteCertification, async ({ params, db, worker, now, audit, publish, emit }) => {
    const row = await lockCertification(db, params.id)
    if (!row) throw refuse(deleteCertification, 'not_found')
    const { id } = row
    publish('certifications', { certification: id })
    if (!row.first_opened_at) {
      await removeCertification(db, id)
      audit({
        action: 'certification_deleted',
        ...subject(id),
        before: { ...auditFields(row), short_id: row.short_id },
      })
      if (!row.revoked_at) emit({ type: 'certification.revoked', ...eventOf(id, row) })
      return { id, outcome: 'deleted' as const }
    }
    if (row.revoked_at) throw refuse(deleteCertification, 'kept')
    const reason = 'Deleted after its link was opened'
    await saveCertification(db, id, { revoked_at: now, revoke_reason: reason, revoked_by: worker.workerId })
    audit({ action: 'certification_revoked', ...subject(id), reason })
    emit({ type: 'certification.revoked', ...eventOf(id, row) })
    return { id, outcome: 'revoked' as const }
  }),
]
