import { isBinary, readAddress, type UploadOutcome } from '@limber/contract/businesses/emails/allowed-email.ts'

const SLICE = 2000
const MAX_LISTED = 100

/** One slice of an uploaded list. */
export interface Slice {
  addresses: string[]
  invalidLines: number[]
}

/**
 * Reads a list line by line and yields slices, so that other requests can run in between. Never splits the whole list: 16 MB
 * of line breaks would become 16 million strings.
 */
export function* readSlices(list: string): Generator<Slice> {
  let slice: Slice = { addresses: [], invalidLines: [] }
  let line = 0
  for (let start = 0; start <= list.length; ) {
    const found = list.indexOf('\n', start)
    const end = found === -1 ? list.length : found
    line++
    // Skip blank lines. A long line is cut; it is invalid by its length alone.
    if (end > start) readLine(list.slice(start, Math.min(end, start + 4000)), line, slice)
    start = end + 1
    if (line % SLICE === 0) {
      yield slice
      slice = { addresses: [], invalidLines: [] }
    }
  }
  yield slice
}

function readLine(text: string, line: number, slice: Slice) {
  if (text.trim() === '') return
  const address = readAddress(text)
  if (address === undefined) slice.invalidLines.push(line)
  else slice.addresses.push(address)
}

/** Checks the start and samples further on, which is enough to detect binary files. */
export function looksBinary(list: string): boolean {
  const step = Math.max(4096, Math.floor(list.length / 64))
  for (let at = 0; at < list.length; at += step) if (isBinary(list.slice(at, at + 4096))) return true
  return false
}

/** Counts the results of an upload. */
export class UploadTally {
  private readonly seen = new Set<string>()
  private readonly outcome: UploadOutcome = { added: 0, skipped: 0, invalid: 0, invalid_lines: [] }

  /** The addresses of a slice that are new in this upload. */
  addSlice({ addresses, invalidLines }: Slice): string[] {
    const fresh = addresses.filter((address) => !this.seen.has(address) && this.seen.add(address))
    this.outcome.skipped += addresses.length - fresh.length
    this.outcome.invalid += invalidLines.length
    const room = MAX_LISTED - this.outcome.invalid_lines.length
    if (room > 0) this.outcome.invalid_lines.push(...invalidLines.slice(0, room))
    return fresh
  }

  count({ added, known }: { added: number; known: number }) {
    this.outcome.added += added
    this.outcome.skipped += known
  }

  result(): UploadOutcome {
    return this.outcome
  }
}
