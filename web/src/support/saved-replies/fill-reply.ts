import { formatMoment } from '@limber/contract/kit/formats/dates.ts'
import type { MacroPreview } from '@limber/contract/support/saved-replies/macro.ts'
import type { SavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'

/** The values for placeholders, from the open ticket and the agent. */
export interface ReplyFacts {
  /** Null when no account has the address. */
  customer: string | null
  ticket: number
  agent: string
  /** What the server knows of the customer; undefined while it is not known. */
  account?: MacroPreview['facts'] | undefined
}

/** A piece of a filled text. A missing value keeps its placeholder. */
export interface ReplyPart {
  text: string
  kind: 'plain' | 'filled' | 'missing'
}

// Used when the name is unknown: 'Hi there,'.
const UNKNOWN_NAME = 'there'

/** The placeholders as shown in the hint. */
export const PLACEHOLDERS = '{first name}, {name}, {ticket}, {agent}, {credits}, {stretcher} and {next session}'

const ACCOUNT_PLACEHOLDER = /\{(credits|stretcher|next session)\}/i

/** Whether the server must be asked before the reply can be filled in. */
export const needsPreview = ({ actions, content }: SavedReply) =>
  actions.length > 0 || ACCOUNT_PLACEHOLDER.test(content)

const creditsText = (credits: number) => (credits === 1 ? '1 credit' : `${credits} credits`)

function valuesOf({ customer, ticket, agent, account }: ReplyFacts): Map<string, string | null> {
  const name = customer?.trim() || UNKNOWN_NAME
  const { credits = null, stretcher = null, nextSession = null } = account ?? {}
  return new Map([
    ['first name', name.split(/\s+/)[0] ?? name],
    ['name', name],
    ['ticket', String(ticket)],
    ['agent', agent],
    ['credits', credits === null ? null : creditsText(credits)],
    ['stretcher', stretcher],
    [
      'next session',
      nextSession === null ? null : formatMoment(new Date(nextSession), { hasWeekday: true }).replace(/, \d{4}/, ''),
    ],
  ])
}

/** A saved text for one ticket, in pieces. Unknown braces stay unchanged, and inserted values are not filled in again. */
export function fillParts(content: string, facts: ReplyFacts): ReplyPart[] {
  const values = valuesOf(facts)
  return content.split(/(\{[a-z ]{4,12}\})/i).flatMap((text): ReplyPart[] => {
    if (text === '') return []
    const value = values.get(text.slice(1, -1).toLowerCase())
    if (value === undefined || !text.startsWith('{')) return [{ text, kind: 'plain' }]
    return [value === null ? { text, kind: 'missing' } : { text: value, kind: 'filled' }]
  })
}

export const fillReply = (content: string, facts: ReplyFacts): string =>
  fillParts(content, facts)
    .map(({ text }) => text)
    .join('')

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
