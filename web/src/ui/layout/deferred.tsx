import { type ReactNode, useDeferredValue } from 'react'

/** The lower part of something large: drawn in slices once the rest stands, so that it opens without a pause. */
export function Deferred({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null
}
