import { useDeferredValue } from 'react'

/** Enough rows to fill a window. */
const FIRST_ROWS = 16

/** Renders the first rows at once and the others right after, so that a long list opens without a pause. */
export function useProgressiveRows<Row>(rows: readonly Row[]): readonly Row[] {
  const soon = useDeferredValue(rows.length, FIRST_ROWS)
  return rows.slice(0, Math.max(FIRST_ROWS, soon))
}
