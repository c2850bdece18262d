import { type RawBuilder, sql } from 'kysely'
import { type Db, plannedEachTime, type Tables } from '../db/db.ts'

export const isSameValue = (a: unknown, b: unknown): boolean => {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime()
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, at) => isSameValue(each, b[at]))
  if (isJson(a) && isJson(b)) {
    const names = Object.keys(a)
    return names.length === Object.keys(b).length && names.every((name) => isSameValue(a[name], b[name]))
  }
  return a === b
}

const isJson = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Array.isArray(value)

/** What a transaction that only plans would write. */
interface PlannedWrites {
  /** The rows after their updates, by id. */
  updates: Map<number, object>
}

const planning = new WeakMap<Db, PlannedWrites>()

/**
 * From now on, batches in this transaction decide everything, but insert and update no rows: that is the slow part. The
 * caller must roll it back.
 */
export function planOnly(db: Db): PlannedWrites {
  const writes: PlannedWrites = { updates: new Map() }
  planning.set(db, writes)
  return writes
}

export const isPlanOnly = (db: Db) => planning.has(db)

/** The columns of a table that a batch writes, with their types, as parts of statements that take rows as JSON. */
export function columnsOf<Row extends object>(
  tableName: keyof Tables & string,
  types: Readonly<Record<keyof Row & string, string>>,
) {
  type Name = keyof Row & string
  type Known = Row & { id: number }
  const all = Object.keys(types) as Name[]
  // Text, because refs are compiled anew for every statement.
  const listOf = (names: readonly Name[]) => sql.raw(names.map((name) => `"${name}"`).join(', '))
  const typed = (names: readonly Name[]) => sql.raw(names.map((name) => `, "${name}" ${types[name]}`).join(''))
  const list = listOf(all)
  const table = sql.table(tableName)
  const setList = (names: readonly Name[], also?: RawBuilder<unknown>) => {
    const own = sql.raw(names.map((name) => `"${name}" = r."${name}"`).join(', '))
    if (!also) return own
    return names.length === 0 ? also : sql`${own}, ${also}`
  }
  const read = sql`select id, ${list} from ${table}`
  return {
    names: all,
    list,
    isSame: (a: Row, b: Row) => all.every((name) => isSameValue(a[name], b[name])),

    async find(db: Db, ids: readonly number[]): Promise<Known[]> {
      if (ids.length === 0) return []
      return (await sql<Known>`${read} where id = any(${ids}::bigint[])`.execute(db)).rows
    },

    /** A row that was kept as JSON. */
    revive: (row: Readonly<Record<string, unknown>>): Row =>
      Object.fromEntries(
        all.map((name) => {
          const value = row[name]
          return [name, types[name] === 'timestamptz' && typeof value === 'string' ? new Date(value) : value]
        }),
      ) as Row,

    /** Locks rows in the order of their ids. */
    async lock(db: Db, ids: readonly number[]): Promise<Map<number, Known>> {
      if (ids.length === 0) return new Map()
      const { rows } = await sql<Known>`
        ${read} where id = any(${ids}::bigint[]) order by id for no key update`.execute(db)
      return new Map(rows.map((row) => [row.id, row]))
    },

    /**
     * Inserts rows and returns their ids in the order given. Of many rows, columns that are null in every one are left to
     * their default, which is null. `into` is a statement of one's own that reads these columns from `r`.
     */
    async insert(db: Db, rows: readonly Row[], into = intoTable): Promise<number[]> {
      if (rows.length === 0) return []
      if (isPlanOnly(db)) return rows.map((_, at) => -1 - at)
      const isSmall = rows.length <= MAX_PREPARED_ROWS
      const names = isSmall ? all : all.filter((name) => rows.some((row) => row[name] !== null))
      const given = rows.map((row) => pick(row, names))
      // Ids are drawn first: an insert returns its rows in no certain order.
      const { rows: made } = await sql<{ at: number; id: number }>`${isSmall ? prepared : plannedEachTime}
        with r as materialized (
          select nextval((select pg_get_serial_sequence(${sql.lit(tableName)}, 'id')::regclass)) as id, r.*
          from jsonb_to_recordset(${placed(given)}::jsonb) as r(at int${typed(names)})
        ), made as (${into(listOf(names))})
        select at, id from r`.execute(db)
      const ids: number[] = []
      for (const { at, id } of made) ids[at] = id
      return ids
    },

    /**
     * Writes the columns that differ in any of these rows: the others cost no index and no trigger. `also` is what else is
     * set, in the table `t`.
     */
    async update(db: Db, changes: readonly RowChange<Row>[], also?: RawBuilder<unknown>): Promise<void> {
      const names = all.filter((name) => changes.some(({ before, after }) => !isSameValue(before[name], after[name])))
      if (changes.length === 0 || (names.length === 0 && !also)) return
      const planned = planning.get(db)
      if (planned) {
        for (const { before, after } of changes) planned.updates.set(before.id, after)
        return
      }
      const rows = changes.map(({ before, after }) => ({ ...pick(after, names), id: before.id }))
      await sql`${plannedEachTime}
        update ${table} t set ${setList(names, also)}
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id bigint${typed(names)})
        where t.id = r.id`.execute(db)
    },
  }

  function intoTable(names: RawBuilder<unknown>) {
    return sql`insert into ${table} (id, ${names}) select id, ${names} from r order by at`
  }
}

/** Up to this many rows, parsing a statement costs more than columns that are null. */
const MAX_PREPARED_ROWS = 20
const prepared = sql.raw('')

/** A row that is locked, and what becomes of it. */
export interface RowChange<Row> {
  before: Row & { id: number }
  after: Row
}

function pick<Row extends object>(row: Row, names: readonly (keyof Row)[]): Partial<Row> {
  const picked: Partial<Row> = {}
  for (const name of names) picked[name] = row[name]
  return picked
}

/** Rows as JSON, each with its place. */
export const placed = (rows: readonly object[]) => JSON.stringify(rows.map((row, at) => ({ ...row, at })))
