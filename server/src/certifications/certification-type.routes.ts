import {
  type CertificationType,
  createCertificationType,
  deleteCertificationType,
  listCertificationTypes,
  updateCertificationType,
} from '@limber/contract/certifications/type.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Db } from '#platform/db/db.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import {
  countTypes,
  findCourses,
  findType,
  findTypes,
  insertType,
  isTypeNameTaken,
  lockType,
  MAX_TYPES,
  removeType,
  saveCourses,
  saveType,
  type TypeRecord,
} from './certification-type.queries.ts'

const present = (row: TypeRecord): CertificationType => ({
  id: row.id,
  certificationName: row.name,
  description: row.description,
  validMonths: row.valid_months,
  isRequired: row.is_required,
  isRetired: row.retired_at !== null,
  courses: row.courses,
  certifications: row.certifications,
  valid: row.valid,
  version: row.version,
})

async function show(db: Db, id: number, now: Date) {
  const type = await findType(db, id, companyDay(now))
  if (!type) throw refuse(updateCertificationType, 'not_found')
  return present(type)
}

interface TypeBody {
  certificationName: string
  description: string
  validMonths: number | null
  isRequired: boolean
}
const draftOf = ({ certificationName, description, validMonths, isRequired }: TypeBody) => ({
  name: certificationName,
  description,
  valid_months: validMonths,
  is_required: isRequired,
})

/** The fields that the audit log stores. */
const auditFields = ({ name, description, valid_months, is_required, retired_at, courses }: TypeRecord) => ({
  name,
  description,
  valid_months,
  is_required,
  is_retired: retired_at !== null,
  courses: courses.map(({ id }) => id),
})

export const certificationTypeRoutes = [
  serve(listCertificationTypes, async ({ db, now }) => ({
    types: (await findTypes(db, companyDay(now))).map(present),
    courses: await findCourses(db),
  })),

  serve(createCertificationType, async ({ body, db, now, audit, publish }) => {
    if ((await countTypes(db)) >= MAX_TYPES) throw refuse(createCertificationType, 'too_many')
    const created = await insertType(db, draftOf(body), now)
    if (!created) throw refuse(createCertificationType, 'name_taken')
    const { courses = [] } = body
    if (!(await saveCourses(db, created.id, courses))) throw refuse(createCertificationType, 'no_course')
    audit({
      action: 'certification_type_created',
      subject: 'certification_type',
      subjectId: created.id,
      after: { ...draftOf(body), courses },
    })
    publish('certifications')
    return show(db, created.id, now)
  }),

  serve(updateCertificationType, async ({ params, body, db, now, audit, publish }) => {
    const find = lockType(db, params.id, companyDay(now))
    const before = await loadForUpdate(updateCertificationType, find, body.version, present)
    if (await isTypeNameTaken(db, body.certificationName, before.id))
      throw refuse(updateCertificationType, 'name_taken')
    const retired_at = body.isRetired ? (before.retired_at ?? now) : null
    await saveType(db, before.id, { ...draftOf(body), retired_at })
    const courses = body.courses ?? before.courses.map(({ id }) => id)
    if (!(await saveCourses(db, before.id, courses))) throw refuse(updateCertificationType, 'no_course')
    audit({
      action: 'certification_type_changed',
      subject: 'certification_type',
      subjectId: before.id,
      before: auditFields(before),
      after: { ...draftOf(body), is_retired: body.isRetired, courses },
    })
    publish('certifications')
    return show(db, before.id, now)
  }).expecting({ certification_types_name: 'name_taken' }),

  serve(deleteCertificationType, async ({ params, db, now, audit, publish }) => {
    const before = await lockType(db, params.id, companyDay(now))
    if (!before) throw refuse(deleteCertificationType, 'not_found')
    const { certifications: count, id } = before
    if (count > 0) {
      const what = pluralize(count, 'certification')
      throw refuse(deleteCertificationType, 'in_use', { values: { what } })
    }
    await removeType(db, id)
    audit({
      action: 'certification_type_deleted',
      subject: 'certification_type',
      subjectId: id,
      before: auditFields(before),
    })
    publish('certifications')
    return { id }
  }),
]
