import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'

type TransactionRow = Insertable<Tables['customer_transactions']>
export type TransactionDraft = Partial<TransactionRow> & { customer_id: number }

/** A purchase of five credits, without its ledger entry. */
export const draftTransaction = (overrides: TransactionDraft): TransactionRow => ({
  booking_id: null,
  transaction_type: 'credit_purchase',
  amount: '445',
  credits: 5,
  status: 'completed',
  created_at: factoryNow(),
  ...overrides,
})

/** Creates a customer's payment. */
export const makeTransaction = (db: Db, overrides: TransactionDraft) =>
  db
    .insertInto('customer_transactions')
    .values(draftTransaction(overrides))
    .returning(['id', 'customer_id', 'transaction_type', 'amount', 'credits', 'status', 'created_at'])
    .executeTakeFirstOrThrow()
