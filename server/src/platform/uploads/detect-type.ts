import { fileTypeFromBuffer } from 'file-type'
import { isPlainText } from './file-kind.ts'

/** Bytes at the beginning of a file that decide its type. */
export const HEAD = 4_100

/** Cuts a character in half off the end. */
function withoutHalf(bytes: Buffer): Buffer {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 4); at--) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0) return bytes.subarray(0, at)
  }
  return bytes
}

/** The type of any file, by the beginning of its content. Markup and what is not recognized is a plain download. */
export async function detectType(bytes: Buffer): Promise<string> {
  const head = bytes.subarray(0, HEAD)
  const found = await fileTypeFromBuffer(head)
  if (found) return found.mime
  const isText = isPlainText(bytes.length > HEAD ? withoutHalf(head) : head)
  return isText ? 'text/plain' : 'application/octet-stream'
}
