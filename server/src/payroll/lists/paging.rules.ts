/** How many rows each value of the first sort key has, in the order of the list. */
export interface Bucket {
  key: string
  rows: number
}

/**
 * Where a page begins: the bucket that holds its first row and how many rows of that bucket lie before it. A page deep
 * in a long list is found by adding up buckets, not by walking over all rows before it.
 */
export function findStart(buckets: readonly Bucket[], offset: number): { key: string; skip: number } | undefined {
  let before = 0
  for (const { key, rows } of buckets) {
    if (offset < before + rows) return { key, skip: offset - before }
    before += rows
  }
  return undefined
}
