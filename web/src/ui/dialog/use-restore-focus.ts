import { useEffect, useState } from 'react'

const canTakeFocus = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element !== document.body && element.isConnected

interface Seen {
  isOpen: boolean
  before: Element | null
  /** What opened the layer below, where there is one. */
  under: Element | null
}

/** What the focus came from: an item of a menu is gone with its menu, whose button stays. */
function openerOf(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]')
  return menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : element
}

/** What opened each layer that is open, the lowest first. */
const openers: (Element | null)[] = []

/**
 * Whoever had the focus before a layer opened has it again when the layer is gone: also when it is drawn open from the
 * beginning, fetched late, or taken away while it is open. A layer that takes the place of another, as a form does of
 * its skeleton, gives the focus back to what opened the first.
 */
export function useRestoreFocus(isOpen: boolean): void {
  // Read while drawing: a field that asks for the focus has it before any effect runs.
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
        // Somewhere else by now: a person or another layer has taken it.
        if (now !== null && now !== document.body && now !== atClose) return
        const opener = before?.isConnected ? before : under
        // A layer that came with the address was opened by nothing: whoever goes on by the keyboard begins with the page.
        const next = canTakeFocus(opener) ? opener : document.getElementById('main')
        next?.focus({ preventScroll: true })
      }, 20)
    }
  }, [isOpen, before, under])
}
