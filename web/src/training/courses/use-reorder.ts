import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'

/** A copy of the list with one entry moved. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const next = list.filter((_, place) => place !== from)
  next.splice(to, 0, ...list.slice(from, from + 1))
  return next
}

interface Lifted {
  from: number
  to: number
}

/**
 * Reorders a list by a drag handle, with a pointer or by keyboard (Space or Enter lifts and drops, arrow keys move,
 * Escape cancels). Only the two affected rows rerender. `announcement` tells screen readers the position.
 */
export function useReorder(count: number, onMove: (from: number, to: number) => void) {
  const [lifted, setLifted] = useState<Lifted>()
  const [announcement, setAnnouncement] = useState('')
  const list = useRef<HTMLElement>(null)

  const drop = (at: Lifted | undefined) => {
    setLifted(undefined)
    if (!at) return
    setAnnouncement(at.from === at.to ? 'Move canceled.' : `Dropped at position ${at.to + 1} of ${count}.`)
    if (at.from !== at.to) onMove(at.from, at.to)
  }

  const placeAt = (y: number): number | undefined => {
    const rows = [...(list.current?.children ?? [])].filter((row) => row.hasAttribute('data-place'))
    const hit = rows.findIndex((row) => y < row.getBoundingClientRect().bottom)
    return rows.length === 0 ? undefined : hit === -1 ? rows.length - 1 : hit
  }

  const onKeyDown = (place: number) => (event: KeyboardEvent) => {
    const isMine = lifted?.from === place
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      if (isMine) return drop(lifted)
      setLifted({ from: place, to: place })
      setAnnouncement(
        `Lifted from position ${place + 1} of ${count}. Use the arrow keys to move, Space to drop, Escape to cancel.`,
      )
    } else if (isMine && step !== 0) {
      event.preventDefault()
      const to = Math.min(count - 1, Math.max(0, lifted.to + step))
      setLifted({ from: place, to })
      setAnnouncement(`Position ${to + 1} of ${count}.`)
    } else if (isMine && event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      drop({ from: place, to: place })
    }
  }

  const onPointerDown = (place: number) => (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setLifted({ from: place, to: place })
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!lifted || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    const to = placeAt(event.clientY)
    if (to !== undefined && to !== lifted.to) setLifted({ ...lifted, to })
    const row = list.current?.children[to ?? -1]
    row?.scrollIntoView({ block: 'nearest' })
  }

  const handleOf = (place: number) => ({
    onKeyDown: onKeyDown(place),
    onPointerDown: onPointerDown(place),
    onPointerMove,
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) drop(lifted)
    },
    onPointerCancel: () => drop(undefined),
    onBlur: () => lifted?.from === place && drop(undefined),
    'aria-pressed': lifted?.from === place,
  })
  const rowOf = (place: number) => ({
    'data-place': place,
    'data-lifted': lifted?.from === place || undefined,
    'data-over':
      lifted && lifted.from !== lifted.to && lifted.to === place
        ? lifted.to > lifted.from
          ? 'below'
          : 'above'
        : undefined,
  })
  return { list, handleOf, rowOf, announcement }
}
export type Reorder = ReturnType<typeof useReorder>
