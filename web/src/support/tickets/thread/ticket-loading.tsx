import type { RefObject } from 'react'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { isPageKey } from '#ui/keyboard/is-page-key.ts'
import { bufferTyping } from '#ui/keyboard/typed-ahead.ts'
import { useWindowKeys } from '#ui/keyboard/use-window-keys.ts'

/** What somebody began to write before the ticket was there. Its text is buffered. */
export type Begun = RefObject<'reply' | 'note' | undefined>

/** Stands in for a ticket that loads. What is typed after R or I is kept, so that no letter of a word acts as a shortcut. */
export function TicketLoading({ begun }: { begun: Begun }) {
  useWindowKeys((event) => {
    if (!isPageKey(event) || !['r', 'i'].includes(event.key)) return
    event.preventDefault()
    begun.current = event.key === 'r' ? 'reply' : 'note'
    bufferTyping(() => {
      begun.current = undefined
    })
  })
  return <TextSkeleton lines={8} />
}
