import { companyDay } from '@limber/contract/kit/company.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import type { TicketRating } from '@limber/contract/support/ratings/rating.ts'
import type { TicketDetail, TicketEvent } from '@limber/contract/support/tickets/ticket.ts'

type Message = TicketDetail['messages'][number]
type Note = TicketDetail['notes'][number]

export type ThreadItem =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'message'; key: string; at: string; message: Message }
  | { kind: 'note'; key: string; at: string; note: Note }
  | { kind: 'event'; key: string; at: string; event: TicketEvent }
  | { kind: 'rating'; key: string; at: string; rating: TicketRating }

const dayOf = (at: string) => companyDay(new Date(at))

/** Messages, notes, events and the rating in chronological order, with day separators. */
export function threadOf({ messages, notes, events, rating }: TicketDetail): ThreadItem[] {
  const items: ThreadItem[] = [
    ...events.map((event) => ({ kind: 'event', key: `e${event.id}`, at: event.createdAt, event }) as const),
    ...messages.map((message) => ({ kind: 'message', key: `m${message.id}`, at: message.createdAt, message }) as const),
    ...notes.map((note) => ({ kind: 'note', key: `n${note.id}`, at: note.createdAt, note }) as const),
    ...(rating?.ratedAt ? [{ kind: 'rating', key: 'rating', at: rating.ratedAt, rating } as const] : []),
  ]
  // The sort is stable: with equal times, events come before messages, as a status change precedes its reply.
  const inOrder = items.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  return inOrder.flatMap((item, place): ThreadItem[] => {
    const before = inOrder[place - 1]
    if (before && dayOf(before.at) === dayOf(item.at)) return [item]
    return [{ kind: 'day', key: `d${item.key}`, at: item.at }, item]
  })
}

/** The text of a day separator: `Today`, `Sat, Nov 14`. */
export const dayWords = (at: string, now: Date) =>
  dayOf(at) === companyDay(now) ? 'Today' : formatDay(dayOf(at), { now, hasWeekday: true })

/** Whether messages of the customer can move to a ticket of their own: something must stay. */
export const canSplit = ({ mergedInto, messages }: TicketDetail): boolean =>
  mergedInto === null && messages.length > 1 && messages.some(({ from_customer }) => from_customer)
