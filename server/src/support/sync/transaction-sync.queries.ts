import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { columnsOf } from '#platform/sync/columns.queries.ts'

/** What a batch may write, as the table has it. */
export type SyncedTransaction = Pick<
  Row<'customer_transactions'>,
  'customer_id' | 'booking_id' | 'transaction_type' | 'amount' | 'credits' | 'status' | 'created_at'
>

export const transactionColumns = columnsOf<SyncedTransaction>('customer_transactions', {
  customer_id: 'bigint',
  booking_id: 'bigint',
  transaction_type: 'text',
  amount: 'numeric',
  credits: 'int',
  status: 'text',
  created_at: 'timestamptz',
})

export const removeTransactions = (db: Db, ids: readonly number[]) =>
  sql`delete from customer_transactions where id = any(${ids}::bigint[])`.execute(db)
