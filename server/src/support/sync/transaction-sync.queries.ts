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
const { list, assignments } = transactionColumns

/** Inserts transactions and returns their ids in the order given. */
export const insertTransactions = (db: Db, rows: readonly SyncedTransaction[]) =>
  transactionColumns.insert(
    db,
    rows,
    sql`insert into customer_transactions (id, ${list}) select id, ${list} from r order by at`,
  )

/** Writes all synced columns of these transactions. */
export const updateTransactions = (db: Db, rows: readonly (SyncedTransaction & { id: number })[]) =>
  transactionColumns.update(db, rows, sql`update customer_transactions t set ${assignments}`)
