import { type RefObject, useEffect, useState } from 'react'

/** True when the first child is wider than its container. A scroll container disables sticky headers, so ask first. */
export function useOverflow(holder: RefObject<HTMLElement | null>): boolean {
  const [isWide, setWide] = useState(false)
  useEffect(() => {
    const outer = holder.current
    const inner = outer?.firstElementChild
    if (!outer || !inner) return
    const observer = new ResizeObserver(() => setWide(inner.scrollWidth > outer.clientWidth + 1))
    observer.observe(outer)
    observer.observe(inner)
    return () => observer.disconnect()
  }, [holder])
  return isWide
}
