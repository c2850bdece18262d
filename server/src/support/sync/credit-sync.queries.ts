import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { columnsOf, inPlace, placed } from './columns.queries.ts'

/** What a batch writes, as the table has it. */
export type SyncedCredit = Pick<
  Row<'credit_entries'>,
  'customer_id' | 'delta' | 'kind' | 'booking_id' | 'transaction_id' | 'created_at'
>
export type CreditRow = SyncedCredit & { id: number }

const { list, recordType } = columnsOf<SyncedCredit>({
  customer_id: 'bigint',
  delta: 'int',
  kind: 'text',
  booking_id: 'bigint',
  transaction_id: 'bigint',
  created_at: 'timestamptz',
})

export async function findCredits(db: Db, ids: readonly number[]): Promise<CreditRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<CreditRow>`
    select id, ${list} from credit_entries where id = any(${ids}::bigint[])`.execute(db)
  return rows
}

/** Adds entries, which move the balances, and returns their ids in the order given. */
export async function insertCredits(db: Db, rows: readonly SyncedCredit[]): Promise<number[]> {
  if (rows.length === 0) return []
  const { rows: made } = await sql<{ at: number; id: number }>`
    with r as materialized (
      select nextval(pg_get_serial_sequence('credit_entries', 'id')) as id, r.*
      from jsonb_to_recordset(${placed(rows)}::jsonb) as r(at int, ${recordType})
    ), made as (insert into credit_entries (id, ${list}) select id, ${list} from r order by at)
    select at, id from r`.execute(db)
  return inPlace(made)
}
