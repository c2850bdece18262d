/** Number of rows for one value of the first sort key, in list order. */
export interface Bucket {
  key: string
  rows: number
}

/**
 * Where a page starts: the bucket of its first row, and the rows to skip in that bucket. Adding up buckets is faster than
 * skipping all rows before a page deep in a long list.
 */
export function findStart(buckets: readonly Bucket[], offset: number): { key: string; skip: number } | undefined {
  let before = 0
  for (const { key, rows } of buckets) {
    if (offset < before + rows) return { key, skip: offset - before }
    before += rows
  }
  return undefined
}
