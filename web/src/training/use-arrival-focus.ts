import { type RefObject, useEffect } from 'react'

/** Gives the focus to where a link led, unless a person or a dialog has it by now. */
export function useArrivalFocus(target: RefObject<HTMLElement | null>, isWanted: boolean): void {
  useEffect(() => {
    const element = target.current
    // The page or the panel around it has the focus when nothing in it was chosen.
    if (isWanted && element && document.activeElement?.contains(element)) element.focus()
  }, [target, isWanted])
}
