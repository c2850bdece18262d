import { sql } from 'kysely'

const isSame = (a: unknown, b: unknown): boolean => {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime()
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, at) => isSame(each, b[at]))
  return a === b
}

/** The columns that a batch writes, with their types, as parts of statements that take rows as JSON. */
export function columnsOf<Row extends object>(types: Readonly<Record<keyof Row & string, string>>) {
  const names = Object.keys(types) as (keyof Row & string)[]
  return {
    list: sql.join(names.map((name) => sql.ref(name))),
    recordType: sql.raw(names.map((name) => `${name} ${types[name]}`).join(', ')),
    assignments: sql.join(names.map((name) => sql`${sql.ref(name)} = r.${sql.ref(name)}`)),
    isSame: (a: Row, b: Row) => names.every((name) => isSame(a[name], b[name])),
  }
}

/** Ids in the order of the rows, from rows that say at which place each was. */
export function inPlace(rows: readonly { at: number; id: number }[]): number[] {
  const ids: number[] = []
  for (const { at, id } of rows) ids[at] = id
  return ids
}

/** Rows as JSON, each with its place. */
export const placed = (rows: readonly object[]) => JSON.stringify(rows.map((row, at) => ({ ...row, at })))
