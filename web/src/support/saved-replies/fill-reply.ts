import type { SavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'

/** The values for placeholders, from the open ticket and the agent. */
export interface ReplyFacts {
  /** Null when no account has the address. */
  customer: string | null
  ticket: number
  agent: string
}

// Used when the name is unknown: 'Hi there,'.
const UNKNOWN_NAME = 'there'

/** The placeholders as shown in the hint. */
export const PLACEHOLDERS = '{first name}, {name}, {ticket} and {agent}'

/** A saved text for one ticket. Unknown braces stay unchanged, and inserted values are not filled in again. */
export function fillReply(content: string, { customer, ticket, agent }: ReplyFacts): string {
  const name = customer?.trim() || UNKNOWN_NAME
  const words: Record<string, string> = {
    'first name': name.split(/\s+/)[0] ?? name,
    name,
    ticket: String(ticket),
    agent,
  }
  return content.replace(/\{([a-z ]{4,10})\}/gi, (whole, key: string) => words[key.toLowerCase()] ?? whole)
}

/** Inserts a text, separated by one space from the text around it. */
export function insertText(text: string, at: number, words: string): { text: string; caret: number } {
  const before = text.slice(0, at)
  const after = text.slice(at)
  const start = before + (/\S$/.test(before) ? ' ' : '') + words
  return { text: start + (/^\S/.test(after) ? ' ' : '') + after, caret: start.length }
}

/** The replies that contain every search word; matches in the name come first. */
export function findReplies(replies: readonly SavedReply[], search: string): SavedReply[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const named = replies.filter(({ name }) => matches(name))
  const others = replies.filter((reply) => !named.includes(reply) && matches(`${reply.name} ${reply.content}`))
  return [...named, ...others]
}
