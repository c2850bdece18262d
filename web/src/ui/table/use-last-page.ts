import { useEffect, useEffectEvent } from 'react'

/** Turns to a page; `replace` where Back must not find the one before. */
export type TurnPage = (page: number, how?: { replace: boolean }) => void

/** As much of a query as counts here; while the data is a placeholder it belongs to other filters or another page. */
interface Read<T> {
  data: T | undefined
  isPlaceholderData: boolean
}

/** Leads from a page behind the last one to the last: its only row was settled, or the link is an old one. */
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
