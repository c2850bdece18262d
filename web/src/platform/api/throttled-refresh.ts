import type { LiveTopic } from '@limber/contract/kit/live.ts'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLive } from '../live/live.ts'

const MIN_INTERVAL = 2_000

/** Refetches queries when the topic changes, but at most once per interval, because changes come in bursts. */
export function useThrottledRefresh(topic: LiveTopic, queryKey: QueryKey, calm = MIN_INTERVAL): void {
  const cache = useQueryClient()
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const readAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => () => clearTimeout(waiting.current), [])
  const read = () => {
    waiting.current = undefined
    readAt.current = performance.now()
    void cache.invalidateQueries({ queryKey })
  }
  useLive(topic, () => {
    const wait = readAt.current + calm - performance.now()
    if (wait <= 0) read()
    else waiting.current ??= setTimeout(read, wait)
  })
}
