import { MAX_COUNTED } from '@limber/contract/kit/page.ts'
import type { CustomerFilter } from '@limber/contract/support/customers/customer.ts'
import { type RawBuilder, sql } from 'kysely'
import { countUpTo } from '#platform/db/count-up-to.ts'
import type { Db } from '#platform/db/db.ts'
import { containing, containingPhone, lookupPatterns } from '#platform/db/like.ts'

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
  /** Part of a name, an address or a phone number; empty finds everyone. */
  search: string
  /** When the text can be a customer id: that customer comes first. */
  id: number | undefined
  status: CustomerFilter
  /** Only accounts that are neither merged nor erased, for pickers: matches are not counted. */
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

/** Whether a text contains the search, as typed or as a phone number. */
export const containsText = (text: RawBuilder<unknown>, pattern: string, phone: string | undefined) =>
  phone === undefined
    ? sql`${text} like lower(${pattern})`
    : sql`(${text} like lower(${pattern}) or ${text} like ${phone})`

const columns = sql`c.id, c.first_name, c.last_name, c.email, c.phone, c.email_verified_at, c.rank, c.points, c.blocked_at, c.last_login_at,
  c.joined_at, c.merged_into_id, c.erased_at`

/** A page of customers in the order of the `joined_at` index. `found` is the text search. */
const scanPage = (
  filter: RawBuilder<unknown>,
  found: RawBuilder<unknown>,
  { limit, offset }: Pick<Page, 'limit' | 'offset'>,
) => sql`
  select id, false as is_exact from (select * from customers where ${filter} order by joined_at desc, id desc offset 0) c
  where ${found} limit ${limit} offset ${offset}`

/** A picker looks at so many of the newest customers before it asks the text index: whoever is frequent is among them. */
const NEWEST = 10_000

type Search = Pick<Page, 'id' | 'limit' | 'offset'> & { text: RawBuilder<unknown>; patterns: string[] }

/** The first matches among the newest customers, in the order of the `joined_at` index. */
const newestPage = (filter: RawBuilder<unknown>, { text, limit }: Search) => sql`
  select id from (select * from customers where ${filter} order by joined_at desc, id desc limit ${sql.lit(NEWEST)}) c
  where ${text} limit ${limit}`

/**
 * A page of the customers that contain a text, newest first. It always uses the text index, whatever the planner
 * estimates. With more matches than we count, it walks the newest customers instead: matches are frequent there. A picker
 * walks a few of them first, and does not count, because the index takes long to find what many customers have.
 */
const searchPage = (filter: RawBuilder<unknown>, search: Search, isPicker: boolean) => {
  const { text, patterns, id, limit, offset } = search
  const near =
    isPicker && id === undefined && offset === 0 ? newestPage(filter, search) : sql`select 0::bigint as id where false`
  return sql`
  with near as materialized (${near}),
  looked_up as materialized (select id from customers_named(${patterns}::text[], ${sql.lit(MAX_COUNTED + 1)}) id
    where (select count(*) from near) < ${limit}),
  reach as materialized (select count(*) > ${sql.lit(MAX_COUNTED)} as is_many from looked_up),
  matches as materialized (
    select c.id, c.joined_at, c.id = ${id ?? 0} as is_exact
    from (select id from looked_up union select ${id ?? 0}::bigint) l
    cross join lateral (select * from customers where id = l.id and ${filter} offset 0) c
  ), page as (
    (select m.id, m.is_exact from matches m, reach where not is_many order by is_exact desc, joined_at desc, m.id desc limit ${limit} offset ${offset})
    union all (select w.* from reach cross join lateral (${scanPage(filter, text, { limit, offset })}) w where is_many)
    union all (select id, false from near where (select count(*) from near) >= ${limit}))
  select case when (select is_many from reach) or (select count(*) from near) >= ${limit}
      then ${sql.lit(MAX_COUNTED + 1)} else (select count(*)::int from matches) end as total,
    page.is_exact, ${columns}
  from (select) one left join page on true left join customers c on c.id = page.id
  order by page.is_exact desc, c.joined_at desc, c.id desc`
}

const filterOf = ({ status, isLiving, activeSince }: Pick<Page, 'status' | 'isLiving' | 'activeSince'>) =>
  sql`${filters[status](activeSince)} ${isLiving ? sql`and merged_into_id is null and erased_at is null` : sql``}`

/** A row with its sort time in full precision. A JavaScript date has milliseconds only. */
export type KeyedRow<R> = R & { key: string }

/** The next matching customers after a row, newest first, along the index of `joined_at`. */
export async function findCustomersAfter(
  db: Db,
  { search, id, ...filter }: Omit<Page, 'limit' | 'offset'>,
  last: KeyedRow<CustomerRow> | undefined,
  limit: number,
): Promise<KeyedRow<CustomerRow>[]> {
  const text = containsText(sql`search_text`, containing(search), containingPhone(search))
  const found = search === '' ? sql`true` : sql`(${text} or id = ${id ?? 0})`
  const rest = last ? sql`and (joined_at, id) < (${last.key}::timestamptz, ${last.id})` : sql``
  const { rows } = await sql<KeyedRow<CustomerRow>>`
    select ${columns}, c.joined_at::text as key from customers c
    where ${filterOf(filter)} and ${found} ${rest} order by joined_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

/** One page and the number of matches, counted up to a limit, in one statement. */
export async function findCustomers(db: Db, { search, status, isLiving, ...page }: Page) {
  const filter = filterOf({ status, isLiving, ...page })
  const phone = containingPhone(search)
  const patterns = [...lookupPatterns(search), ...(phone ? [phone] : [])]
  const text = containsText(sql`search_text`, containing(search), phone)
  const found = search === '' ? sql`true` : text
  const query =
    patterns.length > 0
      ? searchPage(filter, { ...page, text, patterns }, isLiving)
      : sql`
        select ${countUpTo(sql`select from customers where ${filter} and ${found}`)} as total, ${columns}
        from (select) one left join (${scanPage(filter, found, page)}) page on true left join customers c on c.id = page.id
        order by c.joined_at desc, c.id desc`
  const { rows } = await sql<{ total: number } & (CustomerRow | { id: null })>`${query}`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is { total: number } & CustomerRow => row.id !== null),
  }
}
