import { type RefObject, useEffect } from 'react'

/** Focuses the target of a link, unless an element or a dialog already has the focus. */
export function useArrivalFocus(target: RefObject<HTMLElement | null>, isWanted: boolean): void {
  useEffect(() => {
    const element = target.current
    // If nothing has been selected, the page or the surrounding panel has the focus.
    if (isWanted && element && document.activeElement?.contains(element)) element.focus()
  }, [target, isWanted])
}
