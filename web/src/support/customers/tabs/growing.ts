import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { AT_ONCE } from '../user.api.ts'

type Queries<Row> = Parameters<typeof useQueries<UseQueryResult<Row[]>[]>>[0]['queries']

/** A list without a count that grows downwards: a full page says that there may be another. */
export function useGrowing<Row>(queryOf: (page: number) => { queryKey: unknown[] }) {
  const [pages, setPages] = useState(1)
  const queries = Array.from({ length: pages }, (_, place) => queryOf(place + 1)) as unknown as Queries<Row>
  const results = useQueries({ queries }) as UseQueryResult<Row[]>[]
  const last = results.at(-1)
  return {
    first: results[0] as UseQueryResult<Row[]>,
    rows: results.flatMap(({ data }) => data ?? []),
    hasMore: last?.data?.length === AT_ONCE || (pages > 1 && last?.isPending === true),
    isReading: last?.isFetching ?? false,
    /** A later page that did not come; the first is for whoever shows the list. */
    failed: results.slice(1).find(({ isError }) => isError),
    more: () => setPages(pages + 1),
  }
}
