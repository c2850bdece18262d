import type { TableState } from '#ui/table/table-state.ts'

/** Page and sort order as query parameters. An unknown sort key is dropped. */
export function pageAndOrder<S extends string>({ page, limit, sort }: TableState, sorts: readonly S[]) {
  const by = sorts.find((name) => name === sort?.by)
  return {
    page: String(page),
    limit: String(limit),
    ...(by ? { sort: by, order: sort?.isDown ? ('desc' as const) : ('asc' as const) } : {}),
  }
}

/** A changed filter goes back to the first page. */
export const withFirstPage = <T extends object>(filter: T): T => ({ ...filter, page: undefined })
