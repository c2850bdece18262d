import { type RefObject, useEffect, useState } from 'react'

/** Is the first child wider than its holder? Only then does the holder scroll: a scroller would unstick a sticky head. */
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
