import type { Row } from '#platform/db/db.ts'
import { columnsOf } from '#platform/sync/columns.queries.ts'

/** What a batch writes, as the table has it. */
export type SyncedCredit = Pick<
  Row<'credit_entries'>,
  'customer_id' | 'delta' | 'kind' | 'booking_id' | 'transaction_id' | 'created_at'
>

export const creditColumns = columnsOf<SyncedCredit>('credit_entries', {
  customer_id: 'bigint',
  delta: 'int',
  kind: 'text',
  booking_id: 'bigint',
  transaction_id: 'bigint',
  created_at: 'timestamptz',
})
