import { type ReactNode, useDeferredValue } from 'react'

/** Renders its children after the first paint, so that a large screen opens without a pause. */
export function Deferred({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null
}
