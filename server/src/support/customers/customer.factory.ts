import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'
import { randomToken } from '#platform/security/secrets.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'
import { makeCreditEntry } from './credit-entry.factory.ts'
import { newCustomerRow } from './customer-account.queries.ts'

type CustomerRow = Insertable<Tables['customers']>
export type CustomerDraft = Partial<CustomerRow>

/** The row of a customer who has signed up and done nothing else. */
export function draftCustomer(overrides: CustomerDraft = {}): CustomerRow {
  const email = overrides.email ?? `jordan-${randomToken(6).toLowerCase()}@example.com`
  const person = { first_name: 'Jordan', last_name: 'Reyes', email, phone: '+19515550123' }
  return { ...newCustomerRow(person, factoryNow()), ...overrides }
}

/** Creates a customer; credits come with a ledger entry. */
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
