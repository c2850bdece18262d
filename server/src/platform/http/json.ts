/** A body was rejected. The message is for the caller. */
export class BadJson extends Error {}

const MAX_DEPTH = 64
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Parses a JSON body and rejects what `JSON.parse` accepts: duplicate keys, keys that reach a prototype, deep nesting,
 * numbers that lose digits, NUL and lone surrogates.
 */
export function parseStrictJson(bytes: Buffer): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new BadJson('The body is not UTF-8 text.')
  }
  inspect(text)
  try {
    return JSON.parse(text)
  } catch {
    throw new BadJson('The body is not JSON.')
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** One pass over the text; strings are skipped with indexOf, which is fast. */
function inspect(text: string): void {
  if (text.includes('\0')) throw new BadJson('The body contains a NUL character.')
  const keys: (Set<string> | null)[] = []
  let expectsKey = false
  let backslash = text.indexOf('\\')
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) {
      const end = endOfString(text, at)
      const isKey = expectsKey && isFollowedByColon(text, end)
      if (backslash !== -1 && backslash < at) backslash = text.indexOf('\\', at)
      // Only a key can be a duplicate, and only an escape can be anything but what it looks like.
      if (isKey || (backslash !== -1 && backslash < end)) checkString(text, at, end, isKey ? keys.at(-1) : null)
      at = end
      expectsKey = false
    } else if (char === 0x7b || char === 0x5b) {
      keys.push(char === 0x7b ? new Set() : null)
      if (keys.length > MAX_DEPTH) throw new BadJson('The body is nested too deeply.')
      expectsKey = char === 0x7b
    } else if (char === 0x7d || char === 0x5d) {
      keys.pop()
    } else if (char === 0x2c) {
      expectsKey = keys.at(-1) instanceof Set
    } else if ((char >= 0x30 && char <= 0x39) || char === 0x2d) {
      at = checkNumber(text, at)
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end
  }
  throw new BadJson('The body is not JSON.')
}

function isFollowedByColon(text: string, end: number): boolean {
  let at = end + 1
  while (text.charCodeAt(at) <= 0x20) at++
  return text[at] === ':'
}

function checkString(text: string, start: number, end: number, keys: Set<string> | null | undefined): void {
  const raw = text.slice(start, end + 1)
  let value = raw
  if (raw.includes('\\')) {
    try {
      value = JSON.parse(raw)
    } catch {
      throw new BadJson('The body is not JSON.')
    }
  }
  if (value.includes('\0')) throw new BadJson('The body contains a NUL character.')
  if (!value.isWellFormed()) throw new BadJson('The body contains an incomplete character.')
  if (!keys) return
  const key = value === raw ? raw.slice(1, -1) : value
  if (key === '__proto__' || key === 'constructor' || key === 'prototype')
    throw new BadJson(`The key "${key}" is not allowed.`)
  if (keys.has(key)) throw new BadJson(`The key "${key.slice(0, 80)}" appears twice.`)
  keys.add(key)
}

const numeral = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y

function checkNumber(text: string, at: number): number {
  numeral.lastIndex = at
  const found = numeral.exec(text)
  if (!found) throw new BadJson('The body is not JSON.')
  const value = Number(found[0])
  if (!Number.isFinite(value)) throw new BadJson('A number in the body is too large.')
  if (!found[1] && !found[2] && !Number.isSafeInteger(value))
    throw new BadJson('A whole number in the body is too large.')
  return at + found[0].length - 1
}
