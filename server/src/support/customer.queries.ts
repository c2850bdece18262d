import type { CustomerFilter } from '@limber/contract/support/customer.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db.ts'

export interface CustomerRow {
  id: number
  first_name: string
  last_name: string
  email: string
  phone: string | null
  email_verified_at: Date | null
  rank: string
  points: number
  blocked_at: Date | null
  last_login_at: Date | null
  joined_at: Date
  merged_into_id: number | null
  erased_at: Date | null
}

interface Page {
  /** A LIKE pattern in lower case; none for everybody. */
  pattern: string | undefined
  /** Another pattern, when the text may be a phone number. */
  phone: string | undefined
  /** The number of one customer, who comes first, when the text may be one. */
  id: number | undefined
  status: CustomerFilter
  /** Only accounts that were neither merged nor erased. */
  isLiving: boolean
  activeSince: Date
  limit: number
  offset: number
}

const filters = {
  all: () => sql`true`,
  active: (since: Date) => sql`blocked_at is null and last_login_at > ${since}`,
  inactive: (since: Date) => sql`blocked_at is null and (last_login_at is null or last_login_at <= ${since})`,
  blocked: () => sql`blocked_at is not null`,
}

/** A customer's text holds what was looked for, as it was typed or as a phone number. */
export const holdsText = (text: RawBuilder<unknown>, pattern: string, phone: string | undefined) =>
  phone === undefined
    ? sql`${text} like lower(${pattern})`
    : sql`(${text} like lower(${pattern}) or ${text} like ${phone})`

/**
 * One page and the number of all matches in one statement. Matches are gathered first: otherwise the planner may walk
 * all customers in order and test each for the search, which is fifty times slower for a rare text.
 */
export async function findCustomers(db: Db, { pattern, phone, id, status, isLiving, ...page }: Page) {
  const { activeSince, limit, offset } = page
  const living = isLiving ? sql`and merged_into_id is null and erased_at is null` : sql``
  const text = pattern === undefined ? sql`true` : holdsText(sql`search_text`, pattern, phone)
  const found = id === undefined ? text : sql`(${text} or id = ${id})`
  const isMeant = id === undefined ? sql`false` : sql`id = ${id}`
  const { rows } = await sql<{ total: number } & (CustomerRow | { id: null })>`
    with matches as materialized (select id, joined_at, ${isMeant} as is_meant from customers where ${found} and ${filters[status](activeSince)} ${living})
    select t.total, c.id, c.first_name, c.last_name, c.email, c.phone, c.email_verified_at, c.rank, c.points, c.blocked_at, c.last_login_at, c.joined_at,
      c.merged_into_id, c.erased_at
    from (select count(*) as total from matches) t
    left join (select id, is_meant from matches order by is_meant desc, joined_at desc, id desc limit ${limit} offset ${offset}) page on true
    left join customers c on c.id = page.id
    order by page.is_meant desc, c.joined_at desc, c.id desc`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is { total: number } & CustomerRow => row.id !== null),
  }
}
