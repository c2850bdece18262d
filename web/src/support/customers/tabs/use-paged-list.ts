import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { PAGE_SIZE } from '../user.api.ts'

type Queries<Row> = Parameters<typeof useQueries<UseQueryResult<Row[]>[]>>[0]['queries']

/** A list without a total that loads more pages below: a full page means that there may be another. */
export function usePagedList<Row>(queryOf: (page: number) => { queryKey: unknown[] }) {
  const [pages, setPages] = useState(1)
  const queries = Array.from({ length: pages }, (_, place) => queryOf(place + 1)) as unknown as Queries<Row>
  const results = useQueries({ queries }) as UseQueryResult<Row[]>[]
  const last = results.at(-1)
  return {
    first: results[0] as UseQueryResult<Row[]>,
    rows: results.flatMap(({ data }) => data ?? []),
    hasMore: last?.data?.length === PAGE_SIZE || (pages > 1 && last?.isPending === true),
    isLoading: last?.isFetching ?? false,
    /** A page after the first that failed to load; the caller shows errors of the first. */
    failed: results.slice(1).find(({ isError }) => isError),
    more: () => setPages(pages + 1),
  }
}
