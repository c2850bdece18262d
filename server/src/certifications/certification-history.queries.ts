import { deleteCertification, updateCertification } from '@limber/contract/certifications/certification.ts'
import { deleteCertificationType, updateCertificationType } from '@limber/contract/certifications/type.ts'
import { sql } from 'kysely'
import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'
import { findType } from './certification-type.queries.ts'

const typeNames = (ids: readonly number[]) =>
  sql`select id, name from certification_types where id = any(${ids}::bigint[])`
const customerNames = (ids: readonly number[]) =>
  sql`select id, first_name || ' ' || last_name from customers where id = any(${ids}::bigint[])`

const editable = ['customer_id', 'type_id', 'name', 'instructor', 'issued_on', 'valid_until'] as const

export const certificationHistory: RecordHistory = {
  subject: 'certification',
  async read(db, id) {
    const row = await db
      .selectFrom('certifications as c')
      .innerJoin('certification_types as t', 't.id', 'c.type_id')
      .innerJoin('customers as u', 'u.id', 'c.customer_id')
      .select(['c.customer_id', 'c.type_id', 'c.name', 'c.instructor', 'c.issued_on', 'c.valid_until'])
      .select(['c.revoked_at', 'c.first_opened_at', 't.name as type_name', 'u.erased_at'])
      .where('c.id', '=', numericId(id))
      .executeTakeFirst()
    if (!row) return
    const { erased_at: erasedAt, type_name, ...values } = row
    return { name: `${type_name}, ${values.name}`, erasedAt, values }
  },
  fields: [
    { name: 'customer_id', label: 'User', names: customerNames },
    { name: 'type_id', label: 'Certification', names: typeNames },
    { name: 'name', label: 'Name' },
    { name: 'instructor', label: 'Instructor' },
    { name: 'issued_on', label: 'Date issued', kind: 'day' },
    { name: 'valid_until', label: 'Valid until', kind: 'day' },
  ],
  actions: {
    certification_issued: 'issued this certification',
    certification_changed: CHANGED,
    certification_revoked: 'revoked the certification',
  },
  restores: [
    {
      ...{ call: updateCertification, fields: editable },
      input(id, values, now) {
        const { customer_id, type_id, name, instructor, issued_on, valid_until } = { ...now, ...values }
        return {
          params: { id },
          body: {
            ...{ userId: customer_id, certificationTypeId: type_id, name, instructor },
            ...{ dateIssued: issued_on, validUntil: valid_until },
          },
        }
      },
    },
  ],
  opposites: {
    certification_issued: {
      call: deleteCertification,
      input: (id) => ({ params: { id } }),
      // After its page was opened, deleting it would revoke it.
      fits: ({ revoked_at, first_opened_at }) => revoked_at === null && first_opened_at === null,
      effect: 'The certification is deleted.',
    },
  },
}

const typeFields = ['name', 'description', 'valid_months', 'is_required', 'is_retired', 'courses'] as const

export const certificationTypeHistory: RecordHistory = {
  subject: 'certification_type',
  async read(db, id) {
    const type = await findType(db, numericId(id), '0001-01-01')
    return (
      type && {
        name: type.name,
        values: { ...type, is_retired: type.retired_at !== null, courses: type.courses.map((course) => course.id) },
      }
    )
  },
  fields: [
    { name: 'name', label: 'Name' },
    { name: 'description', label: 'Description' },
    { name: 'valid_months', label: 'Valid for, in months' },
    { name: 'is_required', label: 'Required', kind: 'flag' },
    { name: 'is_retired', label: 'Retired', kind: 'flag' },
    { name: 'courses', label: 'Courses' },
  ],
  actions: { certification_type_created: 'added this type', certification_type_changed: CHANGED },
  restores: [
    {
      ...{ call: updateCertificationType, fields: typeFields },
      input(id, values, now) {
        const { name, description, valid_months, is_required, is_retired, courses } = { ...now, ...values }
        return {
          params: { id },
          body: {
            ...{ certificationName: name, description, validMonths: valid_months },
            ...{ isRequired: is_required, isRetired: is_retired, courses },
          },
        }
      },
    },
  ],
  opposites: {
    certification_type_created: {
      call: deleteCertificationType,
      input: (id) => ({ params: { id } }),
      fits: ({ certifications }) => certifications === 0,
      effect: 'The type is deleted.',
    },
  },
}
