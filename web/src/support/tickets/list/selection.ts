import { MAX_AT_ONCE, type Ticket } from '@limber/contract/support/tickets/ticket.ts'
import { useState } from 'react'
import { isPageKey } from '#ui/keyboard/is-page-key.ts'
import { useWindowKeys } from '#ui/keyboard/use-window-keys.ts'

/** The ids between two rows in list order; only the second when the first is not in the list. */
export function idsBetween(ids: readonly number[], from: number | undefined, to: number): number[] {
  const [start, end] = [from === undefined ? -1 : ids.indexOf(from), ids.indexOf(to)]
  if (start < 0 || end < 0) return [to]
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1)
}

/** The focused row, or else the open one. */
const currentRow = (open: number) => {
  const row = document.activeElement?.closest<HTMLElement>('[data-ticket]')
  return row ? Number(row.dataset.ticket) : open
}

/** `x` selects the focused or open row; Escape clears the selection. */
function useSelectionKeys(onSelect: () => void, onClear: () => void, isOn: boolean) {
  useWindowKeys((event) => {
    if (!isPageKey(event)) return
    if (event.key === 'x') onSelect()
    if (event.key === 'Escape' && isOn) onClear()
  })
}

/**
 * The selected tickets of the page. The selection survives a refresh. Tickets that leave the page are deselected, so that
 * no hidden ticket is changed.
 */
export function useSelection(tickets: readonly Ticket[], open: number) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const [anchor, setAnchor] = useState<number>()
  const [isSelectMode, setSelectMode] = useState(false)
  const shown = tickets.map(({ id }) => id)
  const visible = shown.filter((id) => ids.has(id))
  if (visible.length < ids.size) setIds(new Set(visible))

  const has = (id: number) => ids.has(id)
  const toggle = (id: number, isRange = false) => {
    const range = isRange ? idsBetween(shown, anchor, id) : [id]
    const next = new Set(visible)
    for (const one of range) {
      if (isRange || !has(id)) next.add(one)
      else next.delete(one)
    }
    setIds(new Set([...next].slice(0, MAX_AT_ONCE)))
    setAnchor(id)
  }
  const clear = () => {
    setIds(new Set())
    setAnchor(undefined)
    setSelectMode(false)
  }
  const isOn = isSelectMode || visible.length > 0
  useSelectionKeys(
    () => {
      const id = currentRow(open)
      if (shown.includes(id)) toggle(id)
    },
    clear,
    isOn,
  )
  return {
    tickets,
    selected: tickets.filter(({ id }) => ids.has(id)),
    isOn,
    /** The worker turned on selection mode: touch screens have no hover to show the checkboxes. */
    isSelectMode,
    start: () => setSelectMode(true),
    has,
    toggle,
    selectAll: () => setIds(new Set(shown.slice(0, MAX_AT_ONCE))),
    clear,
  }
}

export type TicketSelection = ReturnType<typeof useSelection>
