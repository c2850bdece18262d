import type { SavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'

/** What a reply is filled with: from the ticket that is open, and who answers it. */
export interface ReplyFacts {
  /** None when no account stands behind the address. */
  customer: string | null
  ticket: number
  agent: string
}

// Greets somebody whose name nobody knows: 'Hi there,'.
const SOMEBODY = 'there'

/** The words that are filled in, as a writer puts them. */
export const PLACEHOLDERS = '{first name}, {name}, {ticket} and {agent}'

/** A saved text for one ticket. Braces that name nothing known stay as they are, and what is filled in is not filled again. */
export function fillReply(content: string, { customer, ticket, agent }: ReplyFacts): string {
  const name = customer?.trim() || SOMEBODY
  const words: Record<string, string> = {
    'first name': name.split(/\s+/)[0] ?? name,
    name,
    ticket: String(ticket),
    agent,
  }
  return content.replace(/\{([a-z ]{4,10})\}/gi, (whole, key: string) => words[key.toLowerCase()] ?? whole)
}

/** Puts words into a text, one space away from what stands around them; nothing of the text is lost. */
export function putInto(text: string, at: number, words: string): { text: string; caret: number } {
  const before = text.slice(0, at)
  const after = text.slice(at)
  const start = before + (/\S$/.test(before) ? ' ' : '') + words
  return { text: start + (/^\S/.test(after) ? ' ' : '') + after, caret: start.length }
}

/** The replies that hold every word sought, those first that hold them all in their name. */
export function findReplies(replies: readonly SavedReply[], sought: string): SavedReply[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean)
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const named = replies.filter(({ name }) => holds(name))
  const others = replies.filter((reply) => !named.includes(reply) && holds(`${reply.name} ${reply.content}`))
  return [...named, ...others]
}
