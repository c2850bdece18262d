import type { TicketChannel } from '@limber/contract/support/report/figure.ts'
import type { TicketKind } from '@limber/contract/support/tickets/ticket.ts'

/** The tickets of a block: small enough that one byte names any of them, and any of their properties. */
export const BLOCK_SIZE = 256

/** How a promise ended or a ticket was rated. Packed by its place in this list. */
export const endings = ['kept', 'missed', 'good', 'bad'] as const

/** What the figures need of a ticket. Moments are whole seconds since 1970; 0 for what did not happen. */
export interface TicketFacts {
  id: number
  opened: number
  replied: number
  closed: number
  channel: TicketChannel
  kind: TicketKind | null
  assignee: number | null
  tags: readonly number[]
  /** Promises that ended, in order, and the rating: four times the moment, plus the place in the list. */
  ends: readonly number[]
}

interface Words {
  /** Channels with kinds. */
  sorts: [TicketChannel, TicketKind | null][]
  assignees: (number | null)[]
  tags: (readonly number[])[]
}

/** Up to 256 tickets by columns. Rows of a property name its place in the words. */
export interface Facts extends Words {
  opened: Uint32Array
  replied: Uint32Array
  closed: Uint32Array
  /** The id of the ticket, without its block. */
  offsets: Uint8Array
  sortOf: Uint8Array
  assigneeOf: Uint8Array
  tagsOf: Uint8Array
  endAt: Uint32Array
  /** The row of the ticket. */
  endOf: Uint8Array
  ending: Uint8Array
}

/** The distinct properties of tickets, and the place of each ticket's among them. */
function wordsOf<T>(tickets: readonly TicketFacts[], of: (ticket: TicketFacts) => T) {
  const words: T[] = []
  const places = new Map<string, number>()
  const placeOf = Uint8Array.from(tickets, (ticket) => {
    const word = of(ticket)
    const key = JSON.stringify(word)
    const place = places.get(key) ?? words.push(word) - 1
    places.set(key, place)
    return place
  })
  return { words, placeOf }
}

export function factsOf(tickets: readonly TicketFacts[]): Facts {
  const sorts = wordsOf(tickets, ({ channel, kind }): Words['sorts'][number] => [channel, kind])
  const assignees = wordsOf(tickets, ({ assignee }) => assignee)
  const tags = wordsOf(tickets, ({ tags: some }) => some)
  const ends = tickets.flatMap((ticket, row) => ticket.ends.map((end) => ({ row, end })))
  return {
    sorts: sorts.words,
    assignees: assignees.words,
    tags: tags.words,
    opened: Uint32Array.from(tickets, ({ opened }) => opened),
    replied: Uint32Array.from(tickets, ({ replied }) => replied),
    closed: Uint32Array.from(tickets, ({ closed }) => closed),
    offsets: Uint8Array.from(tickets, ({ id }) => id % BLOCK_SIZE),
    sortOf: sorts.placeOf,
    assigneeOf: assignees.placeOf,
    tagsOf: tags.placeOf,
    endAt: Uint32Array.from(ends, ({ end }) => Math.floor(end / endings.length)),
    endOf: Uint8Array.from(ends, ({ row }) => row),
    ending: Uint8Array.from(ends, ({ end }) => end % endings.length),
  }
}

const HEAD = 3
const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array) => new Uint8Array(buffer, byteOffset, byteLength)

/** The numbers of tickets, endings and bytes of words; the columns of 4 bytes, those of 1 byte, and the words. */
export function pack(facts: Facts): Buffer {
  const { sorts, assignees, tags } = facts
  const words = Buffer.from(JSON.stringify({ sorts, assignees, tags } satisfies Words))
  const wide = [facts.opened, facts.replied, facts.closed, facts.endAt]
  const narrow = [facts.offsets, facts.sortOf, facts.assigneeOf, facts.tagsOf, facts.endOf, facts.ending]
  const head = Uint32Array.of(facts.opened.length, facts.endAt.length, words.length)
  return Buffer.concat([...[head, ...wide].map(bytesOf), ...narrow, words])
}

export function unpack(packed: Buffer): Facts {
  // Columns of 4 bytes must begin at a multiple of 4.
  const { buffer } = new Uint8Array(packed)
  const [tickets = 0, ends = 0, length = 0] = new Uint32Array(buffer, 0, HEAD)
  let at = HEAD * 4
  const wide = (count: number) => {
    const column = new Uint32Array(buffer, at, count)
    at += count * 4
    return column
  }
  const narrow = (count: number) => {
    const column = new Uint8Array(buffer, at, count)
    at += count
    return column
  }
  const [opened, replied, closed, endAt] = [wide(tickets), wide(tickets), wide(tickets), wide(ends)]
  const [offsets, sortOf, assigneeOf, tagsOf] = [narrow(tickets), narrow(tickets), narrow(tickets), narrow(tickets)]
  const [endOf, ending] = [narrow(ends), narrow(ends)]
  const words = JSON.parse(Buffer.from(buffer, at, length).toString()) as Words
  return { ...words, opened, replied, closed, endAt, offsets, sortOf, assigneeOf, tagsOf, endOf, ending }
}
