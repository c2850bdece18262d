import { useEffect, useEffectEvent, useRef } from 'react'
import { type LiveMessage, listenLive } from '#platform/live/live.ts'

/** Topics that can add an entry. */
const TOPICS = ['customers', 'tickets', 'texts', 'leads', 'certifications', 'training', 'businesses'] as const

/** Calls back after something that can concern the customer, once for a burst of messages. */
export function useTimelineNews(id: number, onNews: () => void, settle: number): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tell = useEffectEvent(onNews)
  const hear = useEffectEvent(({ customer }: LiveMessage) => {
    if (typeof customer === 'number' && customer !== id) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      tell()
    }, settle)
  })
  useEffect(() => {
    const stops = TOPICS.map((topic) => listenLive(topic, (message) => hear(message)))
    return () => {
      for (const stop of stops) stop()
      clearTimeout(timer.current)
      timer.current = undefined
    }
  }, [])
}
