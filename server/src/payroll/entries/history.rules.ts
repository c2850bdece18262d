/** The record that holds on a day, of records in the order of their first day; of two for one day, the later one. */
export function holdingOn<R extends { effective_from: string }>(ordered: readonly R[], day: string): R | undefined {
  return ordered.findLast((record) => record.effective_from <= day)
}
