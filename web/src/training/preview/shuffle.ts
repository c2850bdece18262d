/** A copy of the list in random order. */
export function shuffled<T>(list: readonly T[]): T[] {
  const keyed = list.map((value) => ({ value, key: Math.random() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value)
}
