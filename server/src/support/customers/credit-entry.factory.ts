import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'

type CreditEntryRow = Insertable<Tables['credit_entries']>
export type CreditEntryDraft = Partial<CreditEntryRow> & { customer_id: number }

/** A ledger entry: a grant of one credit, or a removal when the change is negative. */
export function draftCreditEntry(overrides: CreditEntryDraft): CreditEntryRow {
  const delta = overrides.delta ?? 1
  return {
    delta,
    kind: delta > 0 ? 'grant' : 'removal',
    booking_id: null,
    transaction_id: null,
    worker_id: null,
    reason: 'Goodwill',
    created_at: factoryNow(),
    ...overrides,
  }
}

/** Creates a ledger entry; a trigger updates the customer's balance. */
export const makeCreditEntry = (db: Db, overrides: CreditEntryDraft) =>
  db
    .insertInto('credit_entries')
    .values(draftCreditEntry(overrides))
    .returning(['id', 'customer_id', 'delta', 'kind', 'created_at'])
    .executeTakeFirstOrThrow()
