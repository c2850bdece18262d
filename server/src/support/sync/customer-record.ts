import type { ItemError } from '@limber/contract/kit/batch.ts'
import type { z } from 'zod'
import type { Db } from '#platform/db/db.ts'
import type { BatchItem, BatchWriter } from '#platform/sync/batch-writer.ts'
import type { RowChange } from '#platform/sync/columns.queries.ts'
import { writeRows } from '#platform/sync/write-rows.ts'
import { checkCustomer, lockItemCustomers } from './referred.ts'

type Known<Row> = Row & { id: number }

interface CustomerRecord<Item extends z.ZodType<{ external_id: string }>, Row>
  extends Pick<BatchWriter<Item>, 'resource' | 'item' | 'references' | 'undo'> {
  columns: {
    isSame(before: Row, after: Row): boolean
    find(db: Db, ids: readonly number[]): Promise<Known<Row>[]>
    lock(db: Db, ids: readonly number[]): Promise<Map<number, Known<Row>>>
    insert(db: Db, rows: readonly Row[]): Promise<number[]>
    update(db: Db, changes: readonly RowChange<Row>[]): Promise<void>
  }
  /** The row of a new record before its fields are applied, or what it lacks. */
  start(item: BatchItem<z.output<Item>>, now: Date): Row | ItemError[]
  /** The row that an item makes of the one before. */
  apply(item: BatchItem<z.output<Item>>, before: Row): Row
  /** What the table refuses, in words. */
  errorsOf(after: Row): ItemError[]
}

/** Takes records that belong to a customer and otherwise stand alone. */
export function customerRecordWriter<
  Item extends z.ZodType<{ external_id: string }>,
  Row extends { customer_id: number },
>(record: CustomerRecord<Item, Row>): BatchWriter<Item> {
  const { resource, item, references, columns } = record
  return {
    resource,
    item,
    ...(references && { references }),
    ...(record.undo && { undo: record.undo }),
    isPlannable: true,
    async write(items, { db, now }) {
      const customers = await lockItemCustomers(db, items, columns.find)
      const found = await columns.lock(
        db,
        items.flatMap(({ recordId }) => recordId ?? []),
      )
      const plan = (each: BatchItem<z.output<Item>>, before: Row | undefined) => {
        const start = before ?? record.start(each, now)
        if (Array.isArray(start)) return start
        const after = record.apply(each, start)
        const customer = checkCustomer(customers, after.customer_id)
        if ('code' in customer) return [customer]
        const errors = record.errorsOf(after)
        return errors.length > 0 ? errors : { ...after, customer_id: customer.id }
      }
      return (await writeRows(db, items, found, plan, columns)).outcomes
    },
  }
}
