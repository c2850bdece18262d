import { useEffect, useEffectEvent } from 'react'

/** Goes to a page; with `replace`, Back skips the previous one. */
export type TurnPage = (page: number, how?: { replace: boolean }) => void

/** The used part of a query. Placeholder data belongs to other filters or another page. */
interface Read<T> {
  data: T | undefined
  isPlaceholderData: boolean
}

/** Goes to the last page when the current one no longer exists, because its last row is gone or the link is old. */
export function useLastPage<T>(
  { data, isPlaceholderData }: Read<T>,
  pagesOf: (data: T) => number,
  page: number,
  onPage: TurnPage,
): void {
  const last = data === undefined || isPlaceholderData ? page : Math.max(1, pagesOf(data))
  const turn = useEffectEvent(onPage)
  useEffect(() => {
    if (page > last) turn(last, { replace: true })
  }, [page, last])
}
