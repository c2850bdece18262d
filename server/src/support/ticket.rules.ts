import { type TicketPriority, type TicketStatus, ticketStatusWords } from '@limber/contract/support/ticket.ts'

/** Shorter texts are in nearly every message: they are looked for in subjects and customers alone. */
export const SHORTEST_IN_MESSAGES = 3

/** The ticket that somebody looks for by its number, written as `#123` or `123`. */
export function ticketNumber(text: string): number | undefined {
  const [, digits] = /^#?([1-9]\d{0,8})$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** The version of a reader is behind a message: somebody wrote what the reader has not seen. */
export const isBehind = (seen: number | undefined, newestMessage: number) => seen !== undefined && seen < newestMessage

export const statusEvent = (status: TicketStatus) => `Set to ${ticketStatusWords[status]}`
export const priorityEvent = (priority: TicketPriority) => `Priority set to ${priority}`
/** What the thread says before `by` and who did it. */
export const assignEvent = (name: string | undefined, isToSelf: boolean) =>
  isToSelf ? 'Taken' : `Given to ${name ?? 'nobody'}`

/** The subject of every mail of a ticket: the number lets people find it again. */
export const mailSubject = ({ id, subject }: { id: number; subject: string }, isReply: boolean) =>
  `${isReply ? 'Re: ' : ''}[#${id}] ${subject}`

const MOST_REFERENCES = 10

/** What makes a mail program show the mails of a ticket as one conversation. */
export function threadHeaders(earlier: readonly string[]): Record<string, string> | undefined {
  const last = earlier.at(-1)
  if (!last) return undefined
  const [first = last] = earlier
  const kept = earlier.length > MOST_REFERENCES ? [first, ...earlier.slice(1 - MOST_REFERENCES)] : earlier
  return { 'In-Reply-To': last, References: kept.join(' ') }
}
