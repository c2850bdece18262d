import type { Insertable } from 'kysely'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import type { Db, Tables } from '#platform/db/db.ts'
import { randomToken } from '#platform/security/secrets.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'

type StretcherRow = Insertable<Tables['stretchers']>
export type StretcherDraft = Partial<StretcherRow>

/** An active stretcher. Other states get matching timestamps. */
export function draftStretcher(overrides: StretcherDraft & { customer_id: number }): StretcherRow {
  const { status = 'active', hired_at = factoryNow() } = overrides
  return {
    zone_id: null,
    first_name: 'Sam',
    last_name: 'Okafor',
    email: overrides.email ?? `sam-${randomToken(6).toLowerCase()}@example.com`,
    date_of_birth: '1994-05-17',
    status,
    hired_at,
    trained_at: status === 'in_training' ? null : hired_at,
    deactivated_at: status === 'inactive' ? factoryNow() : null,
    deactivated_reason: null,
    deactivated_by: null,
    ...overrides,
  }
}

/** Creates the user account and the zone unless they are given. */
export async function makeStretcher(db: Db, overrides: StretcherDraft = {}) {
  const draft = draftStretcher({ customer_id: 0, ...overrides })
  const { first_name, last_name, email } = draft
  const customer_id =
    overrides.customer_id ?? (await makeCustomer(db, { first_name, last_name, email, phone: '+19515550145' })).id
  const zone_id = overrides.zone_id === undefined ? (await makeZone(db)).id : overrides.zone_id
  return db
    .insertInto('stretchers')
    .values({ ...draft, customer_id, zone_id })
    .returning(['id', 'customer_id', 'zone_id', 'first_name', 'last_name', 'email', 'status', 'version'])
    .executeTakeFirstOrThrow()
}
