import { writeDollars } from '@limber/contract/kit/dollars.ts'
import type { FigureDefinition, FigureRow } from '@limber/contract/kit/figure.ts'
import { parseMoney } from '@limber/contract/kit/money.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { containing } from '../db/like.ts'

export interface FigureSource {
  /** Every row the figure counts: id, name, detail, day, amount (numeric) and user_id. */
  rows: RawBuilder<unknown>
  value: keyof typeof values
}

const values = {
  count: sql`count(*)`,
  sum: sql`coalesce(sum(amount), 0)`,
  median: sql`percentile_cont(0.5) within group (order by amount::float8)`,
}

type Found = Pick<FigureRow, 'name' | 'detail' | 'day'> & { id: number; amount: string | null; user_id: number | null }

const number = (amount: string | null) => (amount === null ? null : writeDollars(parseMoney(amount)))

/** The rows that contain the text; every row without one. */
const withWords = (search: string) =>
  search === '' ? sql`true` : sql`concat_ws(' ', name, detail) ilike ${containing(search)}`

/** One page of the rows behind a figure, the largest first, with the figure itself, which is of all rows. */
export async function findFigurePage(
  db: Db,
  { rows: source, value }: FigureSource,
  { page, limit, search }: { page: number; limit: number; search: string },
) {
  const { rows } = await sql<{ total: number; value: string | null } & (Found | { id: null })>`
    with found as materialized (${source})
    select t.total, t.value, r.* from (select count(*) filter (where ${withWords(search)}) as total, round((${values[value]})::numeric, 4)::text as value from found) t
    left join (select id, name, detail, day, round(amount, 4)::text as amount, user_id from found where ${withWords(search)}
      order by found.amount desc nulls last, day desc nulls last, id desc limit ${limit} offset ${(page - 1) * limit}) r on true`.execute(
    db,
  )
  return {
    value: number(rows[0]?.value ?? null),
    rows: rows
      .filter((row): row is typeof row & Found => row.id !== null)
      .map(
        ({ id, name, detail, day, amount, user_id }): FigureRow => ({
          id,
          name,
          detail,
          place: null,
          day,
          amount: number(amount),
          userId: user_id,
        }),
      ),
    pagination: paginate(page, limit, rows[0]?.total ?? 0),
  }
}

/** The name of its file: 'net-pay'. */
export const figureFile = ({ label }: FigureDefinition) => label.toLowerCase().replaceAll(' ', '-')

/** The columns of an exported figure. */
export const figureColumns = {
  id: 'ID',
  name: 'Name',
  detail: 'Detail',
  place: 'Place',
  day: 'Day',
  amount: 'Amount',
  userId: 'Customer ID',
} as const
