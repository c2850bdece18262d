/** A number sign and the number of a ticket, not within a word or an address. */
const MENTION = /(?<![\w&/#])#([1-9]\d{0,8})(?![\w-])/g

export const hasMention = (text: string) => text.search(MENTION) >= 0

/** A text in parts: what is between mentions, and the numbers of the tickets. */
export function partsOf(text: string): (string | number)[] {
  const parts: (string | number)[] = []
  let at = 0
  for (const { index, 0: mention, 1: id } of text.matchAll(MENTION)) {
    if (index > at) parts.push(text.slice(at, index))
    parts.push(Number(id))
    at = index + mention.length
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}

/** The tickets that a text mentions, each once. */
export const mentionsIn = (text: string): number[] => [
  ...new Set(partsOf(text).filter((part) => typeof part === 'number')),
]
