import { type RefObject, useEffect } from 'react'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { isPageKey } from '#ui/keyboard/is-page-key.ts'

/** What was typed for the reply before the ticket was there. */
export interface TypedAhead {
  isNote: boolean
  text: string
}

/** Stands in for a ticket that loads. After R or I it keeps what is typed, so that no letter of a word acts as a shortcut. */
export function TicketLoading({ ahead }: { ahead: RefObject<TypedAhead | undefined> }) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPageKey(event)) return
      const { key } = event
      const held = ahead.current
      if (!held && (key === 'r' || key === 'i')) ahead.current = { isNote: key === 'i', text: '' }
      else if (held && key === 'Escape') ahead.current = undefined
      else if (held && key.length === 1) held.text += key
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    // Before the shortcuts of the page.
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [ahead])
  return <TextSkeleton lines={8} />
}
