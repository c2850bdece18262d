import { type RefObject, useEffect } from 'react'
import { isTyping } from './is-typing.ts'
import { isCovered } from './layers.ts'

/** j and k walk the rows (`[data-row]`) of a list, from anywhere on the page that is not another list. */
export function useRowWalk(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0
      if (step === 0 || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || isCovered() || !list.current) return
      const focused = document.activeElement
      if (focused?.closest('[data-row]') && !list.current.contains(focused)) return
      const rows = [...list.current.querySelectorAll<HTMLElement>('[data-row]')]
      const at = rows.findIndex((row) => row.contains(focused))
      const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))]
      if (!next) return
      event.preventDefault()
      next.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [list])
}
