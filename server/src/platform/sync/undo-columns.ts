import type { Db } from '../db/db.ts'
import type { UndoWriter } from './batch-writer.ts'
import type { RowChange } from './columns.queries.ts'
import { takeBack } from './take-back.ts'

interface Columns<Row> {
  find(db: Db, ids: readonly number[]): Promise<(Row & { id: number })[]>
  revive(row: Readonly<Record<string, unknown>>): Row
  update(db: Db, changes: readonly RowChange<Row>[]): Promise<unknown>
}

/** How rows that stand alone are taken back: `remove` deletes them. */
export const undoColumns = <Row extends object>(
  { find, revive, update }: Columns<Row>,
  remove: (db: Db, ids: readonly number[]) => Promise<unknown>,
): UndoWriter => ({
  find,
  remove: ({ db }, ids) =>
    takeBack(
      db,
      ids.map((id) => ({ id })),
      (some) =>
        remove(
          db,
          some.map(({ id }) => id),
        ),
    ),
  async restore({ db }, befores) {
    const ids = befores.map(({ id }) => id)
    const current = new Map((await find(db, ids)).map((row) => [row.id, row]))
    const changes = befores.flatMap((row) => {
      const before = current.get(row.id)
      return before ? [{ id: row.id, before, after: revive(row) }] : []
    })
    return takeBack(db, changes, (some) => update(db, some))
  },
})
