import type { ItemError, Reference } from '@limber/contract/kit/batch.ts'
import type { Db } from '#platform/db/db.ts'
import type { BatchItem } from '#platform/sync/batch-writer.ts'
import { itemError, missing } from '#platform/sync/item-errors.ts'
import type { Resource } from '#platform/sync/resources.ts'
import { lockReferredCustomers, type ReferredCustomer } from './referred.queries.ts'

const resources = {
  customer: 'customers',
  stretcher: 'stretchers',
  booking: 'bookings',
  transaction: 'transactions',
} as const satisfies Record<string, Resource>

/** The records that an item names, by field. */
export const referencesTo = (named: { [Name in keyof typeof resources]?: Reference | null | undefined }) =>
  (Object.keys(named) as (keyof typeof resources)[]).flatMap((path) => {
    const reference = named[path]
    return reference == null ? [] : [{ path, resource: resources[path], reference }]
  })

/**
 * Locks the customers that items name, and those of the records that items change. A merge or an erasure locks customers
 * first, so the records are locked after this.
 */
export async function lockItemCustomers(
  db: Db,
  items: readonly BatchItem<unknown>[],
  find: (db: Db, ids: readonly number[]) => Promise<readonly { customer_id: number }[]>,
): Promise<Map<number, ReferredCustomer>> {
  const known = await find(
    db,
    items.flatMap(({ recordId }) => recordId ?? []),
  )
  return lockReferredCustomers(db, [
    ...known.map(({ customer_id }) => customer_id),
    ...items.flatMap(({ references }) => references.customer ?? []),
  ])
}

/** The account that stands for a customer, or why nothing is taken for it. */
export function checkCustomer<Customer extends ReferredCustomer>(
  customers: ReadonlyMap<number, Customer>,
  id: number,
): Customer | ItemError {
  const customer = customers.get(id)
  if (!customer) return missing('customer', 'customers', String(id))
  return customer.erased_at ? itemError('customer', 'erased', 'This customer was erased.') : customer
}
