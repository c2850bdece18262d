import type { Readable } from 'node:stream'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** The file cannot be read as a table. The message is for the person who sent it. */
export class UnreadableFile extends Error {}

const HEAD = 4096

/** What the first bytes say about the encoding: UTF-16 with or without a mark, or else a form of ASCII. */
function encodingOfHead(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > head.length / 4 && even === 0) return 'utf-16le'
  if (even > head.length / 4 && odd === 0) return 'utf-16be'
  if (even + odd > 0) throw new UnreadableFile('This is not a text file. Export it as CSV and try again.')
  return undefined
}

const signatures: readonly [prefix: string, name: string][] = [
  ['PK\u0003\u0004', 'a ZIP archive or an Excel workbook'],
  ['\u001f\u008b', 'a compressed file'],
  ['%PDF-', 'a PDF'],
  ['\u00d0\u00cf\u0011\u00e0', 'an old Excel workbook'],
]

function refuseOtherFiles(head: Buffer) {
  const start = head.toString('latin1', 0, 8)
  const [, name] = signatures.find(([prefix]) => start.startsWith(prefix)) ?? []
  if (name) throw new UnreadableFile(`This is ${name}. Export the data as CSV and try again.`)
}

/** Tells the encoding of a file by reading all of it: text that is not UTF-8 is taken as Windows-1252. */
export async function detectEncoding(file: Readable): Promise<Encoding> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const pending: Buffer[] = []
  let size = 0
  let isHeadRead = false
  let isUtf8 = true
  for await (const chunk of file as AsyncIterable<Buffer>) {
    size += chunk.length
    if (!isHeadRead) {
      pending.push(chunk)
      if (size < HEAD) continue
    }
    const bytes = isHeadRead ? chunk : Buffer.concat(pending)
    if (!isHeadRead) {
      isHeadRead = true
      refuseOtherFiles(bytes)
      const wide = encodingOfHead(bytes.subarray(0, HEAD))
      if (wide) return wide
    }
    if (isUtf8) isUtf8 = canDecode(utf8, bytes, true)
  }
  if (size === 0) throw new UnreadableFile('The file is empty.')
  if (!isHeadRead) {
    const bytes = Buffer.concat(pending)
    refuseOtherFiles(bytes)
    const wide = encodingOfHead(bytes)
    if (wide) return wide
    isUtf8 = canDecode(utf8, bytes, true)
  }
  return isUtf8 && canDecode(utf8, Buffer.alloc(0), false) ? 'utf-8' : 'windows-1252'
}

function canDecode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, stream: boolean): boolean {
  try {
    decoder.decode(bytes, { stream })
    return true
  } catch {
    return false
  }
}

// Node 20 decodes these bytes of Windows-1252 as control characters. Five of the codes have no character.
const upper =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'

const misread = /[\u0080-\u009f]/g

/** The text of a file, piece by piece, without a byte order mark. */
export async function* decodeFile(file: Readable, encoding: Encoding): AsyncGenerator<string> {
  if (encoding === 'windows-1252') {
    for await (const chunk of file as AsyncIterable<Buffer>)
      yield chunk.toString('latin1').replace(misread, (char) => upper[char.charCodeAt(0) - 0x80] ?? char)
    return
  }
  const decoder = new TextDecoder(encoding)
  for await (const chunk of file as AsyncIterable<Buffer>) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}
