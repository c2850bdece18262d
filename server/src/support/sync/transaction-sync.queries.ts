import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { columnsOf, inPlace, placed } from './columns.queries.ts'

/** What a batch may write, as the table has it. */
export type SyncedTransaction = Pick<
  Row<'customer_transactions'>,
  'customer_id' | 'booking_id' | 'transaction_type' | 'amount' | 'credits' | 'status' | 'created_at'
>
export type TransactionRow = SyncedTransaction & { id: number }

export const transactionColumns = columnsOf<SyncedTransaction>({
  customer_id: 'bigint',
  booking_id: 'bigint',
  transaction_type: 'text',
  amount: 'numeric',
  credits: 'int',
  status: 'text',
  created_at: 'timestamptz',
})
const { list, recordType, assignments } = transactionColumns

export async function findTransactions(db: Db, ids: readonly number[]): Promise<TransactionRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<TransactionRow>`
    select id, ${list} from customer_transactions where id = any(${ids}::bigint[])`.execute(db)
  return rows
}

/** Locks transactions in the order of their ids. */
export async function lockTransactions(db: Db, ids: readonly number[]): Promise<Map<number, TransactionRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<TransactionRow>`
    select id, ${list} from customer_transactions where id = any(${ids}::bigint[])
    order by id for no key update`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Inserts transactions and returns their ids in the order given. */
export async function insertTransactions(db: Db, rows: readonly SyncedTransaction[]): Promise<number[]> {
  const { rows: made } = await sql<{ at: number; id: number }>`
    with r as materialized (
      select nextval(pg_get_serial_sequence('customer_transactions', 'id')) as id, r.*
      from jsonb_to_recordset(${placed(rows)}::jsonb) as r(at int, ${recordType})
    ), made as (insert into customer_transactions (id, ${list}) select id, ${list} from r order by at)
    select at, id from r`.execute(db)
  return inPlace(made)
}

/** Writes all synced columns of these transactions. */
export const updateTransactions = (db: Db, rows: readonly TransactionRow[]) =>
  sql`
    update customer_transactions t set ${assignments}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id bigint, ${recordType})
    where t.id = r.id`.execute(db)
