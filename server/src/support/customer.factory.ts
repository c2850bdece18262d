import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db.ts'
import { randomToken } from '#platform/secrets.ts'
import { makeCreditEntry } from './credit-entry.factory.ts'

type CustomerRow = Insertable<Tables['customers']>
export type CustomerDraft = Partial<CustomerRow>

/** The row of a customer who signed up and did nothing yet. */
export function draftCustomer(overrides: CustomerDraft = {}): CustomerRow {
  return {
    first_name: 'Jordan',
    last_name: 'Reyes',
    email: overrides.email ?? `jordan-${randomToken(6).toLowerCase()}@example.com`,
    phone: '+19515550123',
    joined_at: new Date(),
    last_login_at: null,
    email_verified_at: null,
    waiver_signed_at: null,
    blocked_at: null,
    blocked_reason: null,
    address_line: null,
    city: null,
    state: null,
    postal_code: null,
    latitude: null,
    longitude: null,
    zone_id: null,
    referred_by_customer_id: null,
    referred_by_stretcher_id: null,
    referred_by_worker_id: null,
    ...overrides,
  }
}

/** A customer; credits come with the ledger entry that explains them. */
export async function makeCustomer(db: Db, { credits = 0, ...overrides }: CustomerDraft & { credits?: number } = {}) {
  const customer = await db
    .insertInto('customers')
    .values(draftCustomer(overrides))
    .returning(['id', 'first_name', 'last_name', 'email', 'phone', 'joined_at', 'zone_id', 'version'])
    .executeTakeFirstOrThrow()
  if (credits > 0) {
    await makeCreditEntry(db, { customer_id: customer.id, delta: credits, created_at: customer.joined_at })
  }
  return { ...customer, credits }
}
