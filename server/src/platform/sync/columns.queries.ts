import { type RawBuilder, sql } from 'kysely'
import type { Db, Tables } from '../db/db.ts'

export const isSameValue = (a: unknown, b: unknown): boolean => {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime()
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, at) => isSameValue(each, b[at]))
  return a === b
}

/** The columns of a table that a batch writes, with their types, as parts of statements that take rows as JSON. */
export function columnsOf<Row extends object>(
  tableName: keyof Tables & string,
  types: Readonly<Record<keyof Row & string, string>>,
) {
  type Known = Row & { id: number }
  const names = Object.keys(types) as (keyof Row & string)[]
  // Text, because refs are compiled anew for every statement.
  const list = sql.raw(names.map((name) => `"${name}"`).join(', '))
  const recordType = sql.raw(names.map((name) => `${name} ${types[name]}`).join(', '))
  const read = sql`select id, ${list} from ${sql.table(tableName)}`
  return {
    names,
    list,
    recordType,
    assignments: sql.raw(names.map((name) => `"${name}" = r."${name}"`).join(', ')),
    isSame: (a: Row, b: Row) => names.every((name) => isSameValue(a[name], b[name])),

    async find(db: Db, ids: readonly number[]): Promise<Known[]> {
      if (ids.length === 0) return []
      return (await sql<Known>`${read} where id = any(${ids}::bigint[])`.execute(db)).rows
    },

    /** Locks rows in the order of their ids. */
    async lock(db: Db, ids: readonly number[]): Promise<Map<number, Known>> {
      if (ids.length === 0) return new Map()
      const { rows } = await sql<Known>`
        ${read} where id = any(${ids}::bigint[]) order by id for no key update`.execute(db)
      return new Map(rows.map((row) => [row.id, row]))
    },

    /** Inserts rows by a statement that reads them from `r`, and returns their ids in the order given. */
    async insert(db: Db, rows: readonly Row[], into: RawBuilder<unknown>): Promise<number[]> {
      if (rows.length === 0) return []
      // Ids are drawn first: an insert returns its rows in no certain order.
      const { rows: made } = await sql<{ at: number; id: number }>`
        with r as materialized (
          select nextval(pg_get_serial_sequence(${sql.lit(tableName)}, 'id')) as id, r.*
          from jsonb_to_recordset(${placed(rows)}::jsonb) as r(at int, ${recordType})
        ), made as (${into})
        select at, id from r`.execute(db)
      const ids: number[] = []
      for (const { at, id } of made) ids[at] = id
      return ids
    },

    /** Updates rows of the table `t` by a statement that sets columns to those of `r`. */
    async update(db: Db, rows: readonly Known[], set: RawBuilder<unknown>): Promise<void> {
      if (rows.length === 0) return
      await sql`${set} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id bigint, ${recordType})
        where t.id = r.id`.execute(db)
    },
  }
}

/** Rows as JSON, each with its place. */
export const placed = (rows: readonly object[]) => JSON.stringify(rows.map((row, at) => ({ ...row, at })))
