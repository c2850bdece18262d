import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/db.ts'

export interface Input {
  params?: object
  query?: object
  body?: object
}

/** Inputs by call name. */
export type Inputs = Record<string, () => Promise<Input>>

export type InputTools = ReturnType<typeof makeInputTools>

/** A customer with nothing that forbids a change. */
export const lone = sql`select id from customers c where merged_into_id is null and erased_at is null and blocked_at is null
    and not exists (select from stretchers s where s.customer_id = c.id)`

/** Ways to make inputs from the records of the sample company. */
export function makeInputTools(db: Db, workerId: () => Promise<number>) {
  /** The most frequent value of a column, for example the business with the most blocks. */
  async function mostFrequent(table: string, column: string): Promise<number> {
    const { rows } = await sql<{ value: number }>`
      select ${sql.ref(column)} as value from ${sql.table(table)} where ${sql.ref(column)} is not null
      group by 1 order by count(*) desc, 1 limit 1`.execute(db)
    if (!rows[0]) throw new Error(`The sample company has no ${table}`)
    return rows[0].value
  }
  async function first<T extends object = { id: number }>(query: RawBuilder<unknown>): Promise<T> {
    const { rows } = await sql<T>`${query} limit 1`.execute(db)
    if (!rows[0]) throw new Error(`The sample company has no rows for ${query.compile(db).sql}`)
    return rows[0]
  }
  const byId =
    (table: string, column = 'id') =>
    async (): Promise<Input> => ({
      params: { id: String(await mostFrequent(table, column)) },
    })
  /** The id of the record that a query finds, and a body. */
  const to =
    (query: RawBuilder<unknown>, body?: object): (() => Promise<Input>) =>
    async () => ({ params: { id: String((await first(query)).id) }, ...(body && { body }) })
  const withBody =
    (name: string, table: string, column: string, more: object = {}) =>
    async (): Promise<Input> => ({
      body: { [name]: await mostFrequent(table, column), ...more },
    })
  /** A body with the id of the record that a query finds. */
  const naming =
    (name: string, query: RawBuilder<unknown>, more: object = {}) =>
    async (): Promise<Input> => ({ body: { [name]: (await first(query)).id, ...more } })
  const sending =
    (body: object = {}) =>
    async (): Promise<Input> => ({ body })
  let serial = 0
  const start = randomUUID().slice(0, 8)
  /** A number that has not been used. */
  const next = () => ++serial
  const fresh = (name: string) => `${name}${start}${next()}`
  /** The record that a statement creates. */
  const made = async (statement: RawBuilder<unknown>): Promise<Input> => {
    const { rows } = await sql<{ id: number }>`${statement}`.execute(db)
    return { params: { id: String(rows[0]?.id) } }
  }
  return { db, workerId, mostFrequent, first, byId, to, withBody, naming, sending, made, fresh, next }
}
