import { randomBytes } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'
import { randomToken } from '#platform/security/secrets.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { encodeShortId, SHORT_ID_BYTES } from './certification.rules.ts'

type TypeRow = Insertable<Tables['certification_types']>
type CertificationRow = Insertable<Tables['certifications']>

/** A type that does not expire and is not required. */
export const draftCertificationType = (overrides: Partial<TypeRow> = {}): TypeRow => ({
  name: overrides.name ?? `Type ${randomToken(4)}`,
  description: '',
  valid_months: null,
  is_required: false,
  retired_at: null,
  created_at: factoryNow(),
  ...overrides,
})

export const makeCertificationType = (db: Db, overrides: Partial<TypeRow> = {}) =>
  db
    .insertInto('certification_types')
    .values(draftCertificationType(overrides))
    .returning(['id', 'name', 'version'])
    .executeTakeFirstOrThrow()

/** A certification that does not expire. */
export const draftCertification = (
  overrides: Partial<CertificationRow> & Pick<CertificationRow, 'customer_id' | 'type_id'>,
): CertificationRow => ({
  short_id: overrides.short_id ?? encodeShortId(randomBytes(SHORT_ID_BYTES)),
  name: 'Jordan Reyes',
  instructor: 'Ines Park',
  issued_on: '2026-03-02',
  valid_until: null,
  revoked_at: null,
  revoke_reason: overrides.revoked_at ? 'Given by mistake' : null,
  revoked_by: null,
  first_opened_at: null,
  issued_by: null,
  created_at: factoryNow(),
  ...overrides,
})

/** Creates a user and a type unless they are given. */
export async function makeCertification(db: Db, overrides: Partial<CertificationRow> = {}) {
  const customer_id = overrides.customer_id ?? (await makeCustomer(db)).id
  const type_id = overrides.type_id ?? (await makeCertificationType(db)).id
  return db
    .insertInto('certifications')
    .values(draftCertification({ ...overrides, customer_id, type_id }))
    .returning(['id', 'short_id', 'customer_id', 'type_id', 'version'])
    .executeTakeFirstOrThrow()
}
