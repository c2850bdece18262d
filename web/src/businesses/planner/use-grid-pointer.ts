import { type RefObject, useEffect, useEffectEvent } from 'react'
import { type Spot, snap } from './plan.ts'

interface Acts {
  onClick(spot: Spot): void
  onOver(spot: Spot): void
  onDrop(spot: Spot): void
}

/** Where the pointer is in the week: in a column with `data-day`, and not on a session. */
export function useGridPointer(grid: RefObject<HTMLElement | null>, firstHour: number, hourHeight: number, acts: Acts) {
  const spotAt = (event: MouseEvent, overSessions: boolean): Spot | undefined => {
    const at = event.target instanceof Element ? event.target : null
    const column = at?.closest<HTMLElement>('[data-day]')
    if (!column || (!overSessions && at?.closest('li'))) return undefined
    const offset = event.clientY - column.getBoundingClientRect().top
    return { day: column.dataset.day ?? '', minute: snap(firstHour * 60 + (offset / hourHeight) * 60) }
  }
  const handle = useEffectEvent((event: MouseEvent) => {
    const spot = spotAt(event, event.type !== 'click')
    if (!spot) return
    if (event.type === 'click') acts.onClick(spot)
    else if (event.type === 'pointermove') acts.onOver(spot)
    else {
      // Without this, the browser refuses the drop.
      event.preventDefault()
      if (event.type === 'drop') acts.onDrop(spot)
      else acts.onOver(spot)
    }
  })
  useEffect(() => {
    const element = grid.current
    const onEvent = (event: Event) => handle(event as MouseEvent)
    const types = ['click', 'pointermove', 'dragover', 'drop']
    for (const type of types) element?.addEventListener(type, onEvent)
    return () => {
      for (const type of types) element?.removeEventListener(type, onEvent)
    }
  }, [grid])
}
