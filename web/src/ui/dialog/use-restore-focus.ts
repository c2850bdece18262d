import { useEffect, useState } from 'react'

const canTakeFocus = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element !== document.body && element.isConnected

interface Seen {
  isOpen: boolean
  before: Element | null
  /** What opened the layer below, if any. */
  under: Element | null
}

/** The element to restore focus to. A menu item disappears with its menu, so its button is used instead. */
function openerOf(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]')
  return menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : element
}

/** What opened each open layer, the lowest first. */
const openers: (Element | null)[] = []

/**
 * Restores focus when a layer closes, also when it was mounted open, loaded lazily, or unmounted while open. A layer
 * that replaces another, such as a form replacing its skeleton, restores focus to what opened the first one.
 */
export function useRestoreFocus(isOpen: boolean): void {
  // Read during render, because an autofocused field takes the focus before any effect runs.
  const [seen, setSeen] = useState<Seen>({ isOpen: false, before: null, under: null })
  if (seen.isOpen !== isOpen) {
    const now = { before: openerOf(document.activeElement), under: openers.at(-1) ?? null }
    setSeen(isOpen ? { isOpen, ...now } : { ...seen, isOpen })
  }
  const { before, under } = seen
  useEffect(() => {
    if (!isOpen) return undefined
    openers.push(before)
    return () => {
      openers.splice(openers.lastIndexOf(before), 1)
      const atClose = document.activeElement
      setTimeout(() => {
        const now = document.activeElement
        // The person or another layer has moved the focus already.
        if (now !== null && now !== document.body && now !== atClose) return
        const opener = before?.isConnected ? before : under
        // A layer opened by the URL has no opener, so keyboard focus goes to the page.
        const next = canTakeFocus(opener) ? opener : document.getElementById('main')
        next?.focus({ preventScroll: true })
      }, 20)
    }
  }, [isOpen, before, under])
}
