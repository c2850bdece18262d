import { isBinary, readAddress } from '@limber/contract/businesses/emails/allowed-email.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'

/** What a file of addresses held. */
export interface FileReading {
  addresses: string[]
  /** Met more than once in the file. */
  repeated: number
  /** Lines with words but without an address, counted from 1. */
  badLines: number[]
}

const SLICE = 2000
const pause = () => new Promise<void>((next) => setTimeout(next, 0))

// What stands around an address in such files: the name of a setting, quotes, brackets.
const setting = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/
// A password may look like an address.
const secret = /PASS|PWD|SECRET|TOKEN|KEY|DSN|URL|URI/i
const wrapping = /^[\s"'<([]+|[\s"'>)\]]+$/g

const isSecret = (line: string) => secret.test(setting.exec(line)?.[1] ?? '')

/** The addresses of one line: pieces between commas, or what looks like one among other words. */
function* addressesIn(line: string): Generator<string> {
  if (isSecret(line)) return
  for (const piece of line.replace(setting, '').split(/[,;]/)) {
    // A piece that is longer than any address with its wrapping is only looked at word by word.
    const whole = piece.length <= 1000 ? readAddress(piece.replace(wrapping, '')) : undefined
    if (whole) yield whole
    else
      for (const word of piece.split(/[\s<>"'()[\]]+/)) {
        const address = word.length <= 254 ? readAddress(word) : undefined
        if (address) yield address
      }
  }
}

/** Reads the addresses of a text, letting the page breathe in between; tells how far it is. */
export async function readAddresses(text: string, tell: (share: number) => void): Promise<FileReading> {
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
      tell(start / text.length)
      await pause()
    }
  }
  tell(1)
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

/** A file that holds no text says so before anything is read from it. */
export const isNoText = (text: string) => isBinary(text.slice(0, 8192))

/** 'lines 3, 9 and 12', or the first few of many. */
export function linesText(lines: readonly number[]): string {
  const shown = lines.slice(0, 8)
  const rest = lines.length - shown.length
  const words = shown.length === 1 ? 'line' : 'lines'
  return `${words} ${shown.join(', ')}${rest > 0 ? ` and ${formatInteger(rest)} more` : ''}`
}
