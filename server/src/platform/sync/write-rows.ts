import type { ItemError } from '@limber/contract/kit/batch.ts'
import type { Db } from '../db/db.ts'
import type { BatchItem, ItemOutcome } from './batch-writer.ts'
import type { RowChange } from './columns.queries.ts'
import { itemError, reject } from './item-errors.ts'

/** A time of an item: undefined when it was not sent, null when it was cleared. */
export const timeOf = (text: string | null | undefined) => (typeof text === 'string' ? new Date(text) : text)

export interface WrittenRow<Row> {
  id: number
  before: Row | undefined
  after: Row
}

interface Table<Row> {
  isSame(before: Row, after: Row): boolean
  insert(db: Db, rows: readonly Row[]): Promise<number[]>
  update(db: Db, changes: readonly RowChange<Row>[]): Promise<unknown>
}

/**
 * Writes items whose rows stand alone, in one insert and one update. `plan` gives the row that an item makes of the one
 * before, or what is wrong with it.
 */
export async function writeRows<Fields, Row extends object>(
  db: Db,
  items: readonly BatchItem<Fields>[],
  found: ReadonlyMap<number, Row & { id: number }>,
  plan: (item: BatchItem<Fields>, before: (Row & { id: number }) | undefined) => Row | ItemError[],
  table: Table<Row>,
): Promise<{ outcomes: ItemOutcome[]; written: WrittenRow<Row>[] }> {
  const outcomes: ItemOutcome[] = []
  const inserts: { at: number; after: Row }[] = []
  const updates: (RowChange<Row> & { id: number })[] = []
  for (const [at, item] of items.entries()) {
    const before = item.recordId === null ? undefined : found.get(item.recordId)
    if (item.recordId !== null && !before) {
      outcomes[at] = reject(itemError('', 'deleted', 'This record was deleted.'))
      continue
    }
    const after = plan(item, before)
    if (Array.isArray(after)) outcomes[at] = reject(...after)
    else if (!before) inserts.push({ at, after })
    else {
      const isChanged = !table.isSame(before, after)
      if (isChanged) updates.push({ id: before.id, before, after })
      outcomes[at] = { status: isChanged ? 'updated' : 'unchanged', id: before.id }
    }
  }
  const ids =
    inserts.length > 0
      ? await table.insert(
          db,
          inserts.map(({ after }) => after),
        )
      : []
  const created = inserts.map(({ at, after }, place) => {
    const id = ids[place]
    if (id === undefined) throw new Error('An inserted row was not returned.')
    outcomes[at] = { status: 'created', id }
    return { id, before: undefined, after }
  })
  if (updates.length > 0) await table.update(db, updates)
  return { outcomes, written: [...created, ...updates] }
}
