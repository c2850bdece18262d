import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { columnsOf } from '#platform/sync/columns.queries.ts'

/** What a batch writes, as the table has it. */
export type SyncedCredit = Pick<
  Row<'credit_entries'>,
  'customer_id' | 'delta' | 'kind' | 'booking_id' | 'transaction_id' | 'reason' | 'created_at'
>

export const creditColumns = columnsOf<SyncedCredit>('credit_entries', {
  customer_id: 'bigint',
  delta: 'int',
  kind: 'text',
  booking_id: 'bigint',
  transaction_id: 'bigint',
  reason: 'text',
  created_at: 'timestamptz',
})

/** Adds the opposite of entries. */
export const reverseCredits = (db: Db, ids: readonly number[], now: Date) =>
  sql`insert into credit_entries (customer_id, delta, kind, reason, created_at)
    select customer_id, -delta, case when delta > 0 then 'removal' else 'grant' end, 'The import was undone.', ${now}
    from credit_entries where id = any(${ids}::bigint[]) order by id`.execute(db)
