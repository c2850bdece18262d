import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { queuesQuery } from '#support/queues/queue.api.ts'
import { useMarkUnread } from '#support/related/related.api.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'

/** Opening a ticket takes the worker's unread mark away. Returns what sets it and leaves the ticket. */
export function useUnread(id: number, leave: () => void): () => void {
  const { mutateAsync: mark } = useMarkUnread(id)
  const { data } = useQuery(queuesQuery)
  const isMarked = data?.unread.includes(id) ?? false
  const isLeaving = useRef(false)
  const read = useEffectEvent(() => {
    // After a failure, the next visit takes it away.
    if (!isLeaving.current) void mark(false).catch(() => undefined)
  })
  useEffect(() => {
    if (isMarked) read()
  }, [isMarked])
  return () => {
    isLeaving.current = true
    void mark(true).then(
      () => toast(`Ticket #${id} is marked unread.`),
      (error: unknown) => toastFailure("Couldn't mark the ticket unread", error),
    )
    leave()
  }
}
