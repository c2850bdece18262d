import { type RefObject, useEffect } from 'react'
import { isLayerOpen } from '../dialog/layers.ts'
import { isPageKey } from '../keyboard/is-page-key.ts'

const stepOf = ({ key }: KeyboardEvent) => (key === 'j' ? 1 : key === 'k' ? -1 : 0)

const isSearch = (target: EventTarget | null) => target instanceof Element && target.matches('[data-section-search]')
const isOpen = (row: Element) => row.matches('[aria-current="true"]')

/** Tracks the rows of a list and their order when one was last clicked or focused. */
function watchRows(list: RefObject<HTMLElement | null>) {
  const now = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  let before: HTMLElement[] = []
  let touched: HTMLAnchorElement | undefined
  const onTouch = ({ target }: Event) => {
    const row = target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-row]') : null
    if (!row || !list.current?.contains(row)) return
    before = now()
    touched = row
  }
  /**
   * The open record and the rows around it. An action may have moved or removed its row; then the order from when it was
   * opened is used, if the URL is still the same.
   */
  const around = (): { rows: HTMLElement[]; open: HTMLElement | undefined } => {
    const rows = now()
    const open = rows.find(isOpen)
    if (touched?.href !== location.href || (open && open !== touched)) return { rows, open }
    return { rows: before.filter((row) => row === touched || rows.includes(row)), open: touched }
  }
  return { now, around, onTouch }
}

/**
 * j and k move through the rows (`[data-row]`) of a list, from anywhere on the page except another list. From an open
 * record they open the next one. Arrow down moves from the search to the first row.
 */
export function useRowNavigation(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const watch = watchRows(list)
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'ArrowDown' && isSearch(event.target) && !isLayerOpen()) {
        const [first] = watch.now()
        if (first) event.preventDefault()
        return first?.focus()
      }
      const step = stepOf(event)
      if (step === 0 || !isPageKey(event) || !list.current) return
      const focused = document.activeElement
      const row = focused?.closest<HTMLElement>('[data-row]') ?? undefined
      const isInside = list.current.contains(focused)
      if (row && !isInside) return
      const { rows, open } = isInside
        ? { rows: watch.now(), open: row && isOpen(row) ? row : undefined }
        : watch.around()
      const at = rows.findIndex((one) => one === (row ?? open))
      const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))]
      if (!next || next === open) return
      event.preventDefault()
      next.focus()
      if (open && next instanceof HTMLAnchorElement) next.click()
    }
    window.addEventListener('keydown', onKeyDown)
    window.addEventListener('click', watch.onTouch, true)
    window.addEventListener('focusin', watch.onTouch)
    return () => {
      window.removeEventListener('keydown', onKeyDown)
      window.removeEventListener('click', watch.onTouch, true)
      window.removeEventListener('focusin', watch.onTouch)
    }
  }, [list])
}
