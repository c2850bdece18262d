import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import styles from './tab-bar.module.css'

export interface TabEntry<T extends string> {
  tab: T
  title: string
  /** A muted number next to the title. */
  count?: number | undefined
  isDisabled?: boolean
}

interface Props<T extends string> {
  /** Prefix for element ids, unique on the page. */
  id: string
  label: string
  tab: T
  entries: readonly TabEntry<T>[]
  onOpen: (tab: T) => void
  /** Extends the bar to the edges of the page or dialog. */
  reaches?: 'page' | 'dialog'
  /** Content at the other end of the bar. */
  children?: ReactNode
}

/** Tabs inside a page, with arrow keys. Keep the selected tab in the URL. */
export function TabBar<T extends string>({ id, label, tab, entries, onOpen, reaches, children }: Props<T>) {
  const list = useRef<HTMLDivElement>(null)
  const labels = entries.map(({ title, count = '' }) => `${title} ${count}`).join()
  // On phones the bar is wider than the screen, so scroll the selected tab into view without moving the page.
  // Counts that load later and rotating the phone can push it out again.
  useEffect(() => {
    if (labels === '') return
    const scrollToTab = () => {
      const own = document.getElementById(`${id}-tab-${tab}`)?.getBoundingClientRect()
      const bar = list.current?.getBoundingClientRect()
      if (!own || !bar || !list.current) return
      list.current.scrollLeft += Math.max(0, own.right - bar.right) - Math.max(0, bar.left - own.left)
    }
    scrollToTab()
    window.addEventListener('resize', scrollToTab)
    return () => window.removeEventListener('resize', scrollToTab)
  }, [id, tab, labels])
  const onArrowKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const open = [...(list.current?.querySelectorAll<HTMLButtonElement>('[role="tab"]:not(:disabled)') ?? [])]
    const at = open.indexOf(document.activeElement as HTMLButtonElement)
    const next = open[(at + step + open.length) % open.length]
    event.preventDefault()
    next?.focus()
    next?.click()
  }
  return (
    <div className={styles.bar} data-reaches={reaches}>
      <div ref={list} className={styles.tabs} role="tablist" aria-label={label} onKeyDown={onArrowKey}>
        {entries.map((entry) => (
          <button
            key={entry.tab}
            type="button"
            role="tab"
            id={`${id}-tab-${entry.tab}`}
            aria-controls={`${id}-panel-${entry.tab}`}
            aria-selected={entry.tab === tab}
            tabIndex={entry.tab === tab ? 0 : -1}
            disabled={entry.isDisabled ?? false}
            className={styles.tab}
            onClick={() => onOpen(entry.tab)}
          >
            {entry.title}
            {entry.count !== undefined && <span className={styles.count}>{entry.count}</span>}
          </button>
        ))}
      </div>
      {children}
    </div>
  )
}

/** The content of a tab. */
export function TabPanel({ id, tab, children }: { id: string; tab: string; children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null)
  const shown = useRef(tab)
  // If the focused element disappeared with the previous tab, focus this panel.
  useEffect(() => {
    if (shown.current !== tab && document.activeElement === document.body) panel.current?.focus({ preventScroll: true })
    shown.current = tab
  }, [tab])
  return (
    <div
      ref={panel}
      className={styles.panel}
      role="tabpanel"
      tabIndex={-1}
      id={`${id}-panel-${tab}`}
      aria-labelledby={`${id}-tab-${tab}`}
    >
      {children}
    </div>
  )
}
