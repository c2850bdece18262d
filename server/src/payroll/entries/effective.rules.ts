/** The record in effect on a day. `ordered` is sorted by effective date; the later of two for the same day wins. */
export function effectiveOn<R extends { effective_from: string }>(ordered: readonly R[], day: string): R | undefined {
  return ordered.findLast((record) => record.effective_from <= day)
}
