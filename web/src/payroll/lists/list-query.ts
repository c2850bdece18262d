import type { TableState } from '#ui/table/table-state.ts'

/** The page and the order that a table shows, as the lists of the payroll take them; an order they do not know is none. */
export function pageAndOrder<S extends string>({ page, limit, sort }: TableState, sorts: readonly S[]) {
  const by = sorts.find((name) => name === sort?.by)
  return {
    page: String(page),
    limit: String(limit),
    ...(by ? { sort: by, order: sort?.isDown ? ('desc' as const) : ('asc' as const) } : {}),
  }
}

/** A filter as the URL takes it: what it finds begins on the first page. */
export const fromFirstPage = <T extends object>(filter: T): T => ({ ...filter, page: undefined })
