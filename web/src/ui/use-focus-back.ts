import { useEffect, useState } from 'react'

const canTakeFocus = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element !== document.body && element.isConnected

/** What the focus came from: an item of a menu is gone with its menu, whose button stays. */
function openerOf(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]')
  return menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : element
}

/**
 * Whoever had the focus before a layer opened has it again when the layer is gone: also when it is drawn open from the
 * beginning, fetched late, or taken away while it is open.
 */
export function useFocusBack(isOpen: boolean): void {
  // Read while drawing: a field that asks for the focus has it before any effect runs.
  const [seen, setSeen] = useState<{ isOpen: boolean; before: Element | null }>({ isOpen: false, before: null })
  if (seen.isOpen !== isOpen) setSeen({ isOpen, before: isOpen ? openerOf(document.activeElement) : seen.before })
  const { before } = seen
  useEffect(() => {
    if (!isOpen) return undefined
    return () => {
      const atClose = document.activeElement
      setTimeout(() => {
        const now = document.activeElement
        // Somewhere else by now: a person or another layer has taken it.
        if (now !== null && now !== document.body && now !== atClose) return
        if (canTakeFocus(before)) before.focus({ preventScroll: true })
      }, 20)
    }
  }, [isOpen, before])
}
