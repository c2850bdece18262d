import { isBinary, readAddress } from '@limber/contract/businesses/emails/allowed-email.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'

/** The contents of a file with addresses. */
export interface FileReading {
  addresses: string[]
  /** Addresses that occur more than once in the file. */
  repeated: number
  /** Line numbers of lines with text but no address, starting at 1. */
  badLines: number[]
}

const SLICE = 2000
const yieldToPage = () => new Promise<void>((next) => setTimeout(next, 0))

// Text around an address in such files: the name of a setting, quotes, brackets.
const setting = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/
// A password can look like an address.
const secret = /PASS|PWD|SECRET|TOKEN|KEY|DSN|URL|URI/i
const wrapping = /^[\s"'<([]+|[\s"'>)\]]+$/g

const isSecret = (line: string) => secret.test(setting.exec(line)?.[1] ?? '')

/** The addresses of one line: comma-separated, or anything that looks like one among other words. */
function* addressesIn(line: string): Generator<string> {
  if (isSecret(line)) return
  for (const piece of line.replace(setting, '').split(/[,;]/)) {
    // A piece longer than any wrapped address is only checked word by word.
    const whole = piece.length <= 1000 ? readAddress(piece.replace(wrapping, '')) : undefined
    if (whole) yield whole
    else
      for (const word of piece.split(/[\s<>"'()[\]]+/)) {
        const address = word.length <= 254 ? readAddress(word) : undefined
        if (address) yield address
      }
  }
}

/** Reads the addresses of a text in steps, so that the page stays responsive; reports progress. */
export async function readAddresses(text: string, onProgress: (share: number) => void): Promise<FileReading> {
  const seen = new Set<string>()
  const reading: FileReading = { addresses: [], repeated: 0, badLines: [] }
  let line = 0
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    line += 1
    takeLine(text.slice(start, end), line, seen, reading)
    start = end + 1
    if (line % SLICE === 0) {
      onProgress(start / text.length)
      await yieldToPage()
    }
  }
  onProgress(1)
  return reading
}

function takeLine(line: string, number: number, seen: Set<string>, reading: FileReading) {
  if (line.trim() === '') return
  let hasAddress = false
  for (const address of addressesIn(line)) {
    hasAddress = true
    if (seen.has(address)) reading.repeated += 1
    else {
      seen.add(address)
      reading.addresses.push(address)
    }
  }
  if (!hasAddress) reading.badLines.push(number)
}

/** Refuses a file that is not text before reading it. */
export const isNotText = (text: string) => isBinary(text.slice(0, 8192))

/** 'lines 3, 9 and 12', or the first few of many. */
export function linesText(lines: readonly number[]): string {
  const shown = lines.slice(0, 8)
  const rest = lines.length - shown.length
  const words = shown.length === 1 ? 'line' : 'lines'
  return `${words} ${shown.join(', ')}${rest > 0 ? ` and ${formatInteger(rest)} more` : ''}`
}
