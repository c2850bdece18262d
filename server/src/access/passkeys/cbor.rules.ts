const MAX_DEPTH = 16

/**
 * The length of the first CBOR item, or undefined when it is incomplete. The library accepts truncated strings, so this
 * is checked first. WebAuthn does not use indefinite lengths, so they are rejected.
 */
export function cborLength(bytes: Buffer, start = 0, depth = 0): number | undefined {
  const head = readHead(bytes, start)
  if (!head || depth > MAX_DEPTH) return undefined
  const { major, value, size } = head
  if (major === 2 || major === 3) return start + size + value <= bytes.length ? size + value : undefined
  if (major < 4 || major > 6) return size
  const items = major === 6 ? 1 : major === 5 ? value * 2 : value
  let length = size
  for (let i = 0; i < items; i++) {
    const item = cborLength(bytes, start + length, depth + 1)
    if (item === undefined) return undefined
    length += item
  }
  return length
}

function readHead(bytes: Buffer, at: number) {
  const first = bytes[at]
  if (first === undefined) return undefined
  const [major, short] = [first >> 5, first & 31]
  if (short < 24) return { major, value: short, size: 1 }
  const width = { 24: 1, 25: 2, 26: 4 }[short]
  if (width === undefined || at + 1 + width > bytes.length) return undefined
  return { major, value: bytes.readUIntBE(at + 1, width), size: 1 + width }
}
