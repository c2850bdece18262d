import { createHash } from 'node:crypto'
import type { ItemError } from '@limber/contract/kit/batch.ts'
import { TicketItem, ticketCalls } from '@limber/contract/support/sync/ticket-sync.ts'
import { MINUTE, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import type { Work } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import type { BatchItem, BatchWriter, ItemOutcome } from '#platform/sync/batch-writer.ts'
import { invalid, itemError, reject, required } from '#platform/sync/item-errors.ts'
import { attachRoute, batchRoute, readRoutes } from '#platform/sync/resource-routes.ts'
import { undoColumns } from '#platform/sync/undo-columns.ts'
import { sendCustomerEmails } from '../inbox/send-customer-email.ts'
import { replayTickets } from '../promises/keep-promises.ts'
import { confirmationText, emailSubject, kindEvent, priorityEvent, statusEvent } from '../tickets/ticket.rules.ts'
import {
  findAccounts,
  findKnownMessages,
  findTicketRecords,
  insertEvents,
  insertMessages,
  type KnownMessage,
  type LockedTicketRow,
  lockSyncedTickets,
  removeTickets,
  restoreTickets,
  type SyncedEvent,
  type SyncedTicket,
  ticketColumns,
} from './ticket-sync.queries.ts'

type Item = BatchItem<TicketItem>

// The clocks of other systems may be a little ahead.
const CLOCK_SKEW = 5 * MINUTE

interface Message {
  from_customer: boolean
  content: string
  created_at: Date
}

/** A ticket with what the items of a set make of it. */
interface Thread {
  /** Undefined until it is opened. */
  id: number | undefined
  before: LockedTicketRow | undefined
  ticket: SyncedTicket
  /** Keys of the messages that are there. */
  known: Set<string>
  times: Pick<KnownMessage, 'from_customer' | 'created_at'>[]
  added: Message[]
  events: Omit<SyncedEvent, 'ticket_id'>[]
  isConfirmed: boolean
}

const digestOf = (content: string) => createHash('md5').update(content).digest('hex')
const keyOf = (fromCustomer: boolean, at: Date, digest: string) => `${fromCustomer} ${at.getTime()} ${digest}`

const byTime = (a: { created_at: Date }, b: { created_at: Date }) => a.created_at.getTime() - b.created_at.getTime()

/** Since when the customer waits: the first of their messages that no reply followed. */
function waitingSince(times: readonly Pick<KnownMessage, 'from_customer' | 'created_at'>[]): Date | null {
  let since: Date | null = null
  for (const { from_customer, created_at } of times.toSorted(byTime))
    since = from_customer ? (since ?? created_at) : null
  return since
}

const latest = (...times: readonly Date[]) => new Date(Math.max(...times.map((time) => time.getTime())))

/** Adds the messages that the thread does not have yet; says whether there were any. */
function addMessages(thread: Thread, messages: TicketItem['messages']): boolean {
  const fresh: Message[] = []
  for (const { from_customer, content, created_at } of messages ?? []) {
    const message = { from_customer, content, created_at: new Date(created_at) }
    const key = keyOf(from_customer, message.created_at, digestOf(content))
    if (thread.known.has(key)) continue
    thread.known.add(key)
    fresh.push(message)
  }
  if (fresh.length === 0) return false
  thread.added.push(...fresh)
  thread.times.push(...fresh)
  thread.ticket.message_count += fresh.length
  thread.ticket.waiting_since = waitingSince(thread.times)
  return true
}

/** What an item lacks, or says that cannot be. */
function errorsOf({ fields, recordId }: Item, now: Date): ItemError[] {
  const errors: ItemError[] = []
  if (recordId === null)
    for (const name of ['customer_email', 'subject', 'messages'] as const)
      if (fields[name] === undefined) errors.push(required(name))
  const limit = shift(now, CLOCK_SKEW)
  const check = (path: string, time: string | undefined) => {
    if (time !== undefined && new Date(time) > limit) errors.push(invalid(path, 'must not be in the future'))
  }
  check('created_at', fields.created_at)
  for (const [at, { created_at }] of (fields.messages ?? []).entries()) check(`messages.${at}.created_at`, created_at)
  return errors
}

function openThread({ fields }: Item, accounts: ReadonlyMap<string, number>, now: Date): Thread {
  const {
    customer_email = '',
    subject = '',
    status = 'open',
    priority = 'medium',
    kind = null,
    messages = [],
    silent,
  } = fields
  const times = messages.map(({ created_at }) => new Date(created_at))
  const first = times.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? now
  const created_at = fields.created_at === undefined ? first : new Date(fields.created_at)
  const thread: Thread = {
    id: undefined,
    before: undefined,
    ticket: {
      customer_id: accounts.get(customer_email) ?? null,
      customer_email,
      subject,
      status,
      priority,
      kind,
      created_at,
      updated_at: latest(created_at, ...times),
      waiting_since: null,
      message_count: 0,
      version: 1,
    },
    known: new Set(),
    times: [],
    added: [],
    events: [{ kind: 'opened', text: 'Opened by the customer', created_at }],
    isConfirmed: silent !== true && status !== 'closed',
  }
  addMessages(thread, messages)
  return thread
}

function knownThread(before: LockedTicketRow, messages: readonly KnownMessage[]): Thread {
  const {
    id,
    merged_into_id: _,
    is_erased: __,
    status_set_at: ___,
    priority_set_at: ____,
    kind_set_at: _____,
    ...ticket
  } = before
  return {
    id,
    before,
    ticket,
    known: new Set(messages.map((each) => keyOf(each.from_customer, each.created_at, each.digest))),
    times: [...messages],
    added: [],
    events: [],
    isConfirmed: false,
  }
}

/** Applies an item to a ticket that is there. What staff decided after the item's version stays. */
function changeThread(thread: Thread, { fields, updatedAt, recordId }: Item, now: Date) {
  const { ticket, before } = thread
  const kept: string[] = []
  const isDecided = (at: Date | null | undefined) => at != null && (updatedAt === null || updatedAt < at)
  let isChanged = false
  const { subject, status, priority, kind, customer_email } = fields
  // A merged ticket brings its messages; the rest is that of the ticket it became part of.
  const isOwn = recordId === thread.id
  if (isOwn && subject !== undefined && subject !== ticket.subject) {
    ticket.subject = subject
    isChanged = true
  }
  if (isOwn && status !== undefined && status !== ticket.status) {
    if (isDecided(before?.status_set_at)) kept.push('status')
    else {
      ticket.status = status
      thread.events.push({ kind: 'status', text: statusEvent(status), created_at: now })
      isChanged = true
    }
  }
  if (isOwn && priority !== undefined && priority !== ticket.priority) {
    if (isDecided(before?.priority_set_at)) kept.push('priority')
    else {
      ticket.priority = priority
      thread.events.push({ kind: 'priority', text: priorityEvent(priority), created_at: now })
      isChanged = true
    }
  }
  if (isOwn && kind !== undefined && kind !== ticket.kind) {
    if (isDecided(before?.kind_set_at)) kept.push('kind')
    else {
      ticket.kind = kind
      thread.events.push({ kind: 'kind', text: kindEvent(kind), created_at: now })
      isChanged = true
    }
  }
  // The address follows the customer's account, and is part of the thread's emails.
  if (isOwn && customer_email !== undefined && customer_email !== ticket.customer_email) kept.push('customer_email')
  const count = thread.added.length
  const closedAt = ticket.updated_at
  if (addMessages(thread, fields.messages)) {
    isChanged = true
    const isAsked = thread.added.slice(count).some((each) => each.from_customer && each.created_at > closedAt)
    const isClosed = ticket.status === 'closed' && (status === undefined || kept.includes('status') || !isOwn)
    if (isClosed && isAsked) {
      ticket.status = 'open'
      thread.events.push({ kind: 'status', text: 'Reopened by the customer', created_at: now })
    }
  }
  if (isChanged) {
    ticket.version++
    ticket.updated_at = fields.silent
      ? latest(ticket.updated_at, ...thread.added.map(({ created_at }) => created_at))
      : now
  }
  return { isChanged, kept }
}

/** Tickets from other systems, by the rules of tickets that come by email. Their replies were sent elsewhere. */
const ticketWriter = (
  services: Pick<Services, 'company' | 'config' | 'keyring'>,
  source: string,
): BatchWriter<typeof TicketItem> => ({
  resource: 'tickets',
  item: TicketItem,
  undo: undoColumns({ ...ticketColumns, update: restoreTickets }, removeTickets),
  expected: {
    tickets_customer_id_fkey: itemError('customer_email', 'conflict', 'The account of this customer was just deleted.'),
  },
  async write(items, work) {
    const { db, now } = work
    const found = await lockSyncedTickets(
      db,
      items.flatMap(({ recordId }) => recordId ?? []),
    )
    const rows = new Map([...found.values()].map((row) => [row.id, row]))
    const messages = Map.groupBy(await findKnownMessages(db, [...rows.keys()]), ({ ticket_id }) => ticket_id)
    const known = new Map([...rows].map(([id, row]) => [id, knownThread(row, messages.get(id) ?? [])]))
    const accounts = await findAccounts(
      db,
      items.flatMap(({ recordId, fields }) => (recordId === null ? (fields.customer_email ?? []) : [])),
    )
    const outcomes: ItemOutcome[] = []
    const opened: { at: number; thread: Thread }[] = []
    for (const [at, item] of items.entries()) {
      const row = item.recordId === null ? undefined : found.get(item.recordId)
      const errors = errorsOf(item, now)
      if (item.recordId !== null && !row) errors.push(itemError('', 'deleted', 'This record was deleted.'))
      if (row?.is_erased) errors.push(itemError('', 'erased', 'This customer was erased.'))
      if (errors.length > 0) {
        outcomes[at] = reject(...errors)
        continue
      }
      const thread = row && known.get(row.id)
      if (!row || !thread) {
        opened.push({ at, thread: openThread(item, accounts, now) })
        continue
      }
      const { isChanged, kept } = changeThread(thread, item, now)
      outcomes[at] = {
        status: isChanged ? 'updated' : 'unchanged',
        id: row.id,
        ...(kept.length > 0 && { kept }),
        ...(row.id !== item.recordId && { merged_into: row.id }),
      }
    }
    const ids = await ticketColumns.insert(
      db,
      opened.map(({ thread }) => thread.ticket),
    )
    for (const [place, { at, thread }] of opened.entries()) {
      const id = ids[place]
      if (id === undefined) throw new Error('An opened ticket was not returned.')
      thread.id = id
      outcomes[at] = { status: 'created', id }
    }
    const changed = [...known.values()].filter(({ ticket, before }) => ticket.version !== before?.version)
    await ticketColumns.update(
      db,
      changed.flatMap(({ before, ticket }) => (before ? { before, after: ticket } : [])),
    )
    await saveThreads(
      work,
      services,
      source,
      [...opened.map(({ thread }) => thread), ...changed].map((thread) => ({ ...thread, id: thread.id as number })),
    )
    return outcomes
  },
})

const openingKey = (id: number) => `ticket-opened-${id}`

async function saveThreads(
  work: Work,
  services: Pick<Services, 'company' | 'config' | 'keyring'>,
  source: string,
  threads: readonly (Thread & { id: number })[],
) {
  const { db } = work
  const confirmed = threads.flatMap((thread) => {
    const first = thread.isConfirmed ? thread.added.toSorted(byTime).find((each) => each.from_customer) : undefined
    return first ? { ...thread, first } : []
  })
  const openings = new Set(confirmed.map(({ first }) => first))
  const messages = threads.flatMap(({ id, ticket, added }) =>
    added.map((message) => ({
      ...message,
      ticket_id: id,
      ticket_version: ticket.version,
      outbox_key: openings.has(message) ? openingKey(id) : null,
    })),
  )
  await insertMessages(db, messages, source)
  await insertEvents(
    db,
    threads.flatMap(({ id, events }) => events.map((event) => ({ ...event, ticket_id: id }))),
  )
  // Of closed tickets, which may be a long history, a schedule does the same.
  const active = threads.filter(({ ticket }) => ticket.status !== 'closed').map(({ id }) => id)
  await replayTickets(db, active, undefined, work.now)
  await sendCustomerEmails(
    work,
    services,
    confirmed.map(({ id, ticket, first }) => ({
      key: openingKey(id),
      type: 'ticket_confirmation',
      customerId: ticket.customer_id,
      about: `ticket ${id}: confirmation`,
      to: ticket.customer_email,
      subject: emailSubject({ id, subject: ticket.subject }, false),
      text: confirmationText(first.content),
    })),
  )
}

/** Tickets as programs see them: without the notes of staff. */
async function loadTickets(db: Db, ids: readonly number[]) {
  const rows = await findTicketRecords(db, ids)
  return rows.map((row) => ({
    id: row.id,
    customer_email: row.customer_email,
    customer: row.customer_id,
    subject: row.subject,
    status: row.status,
    priority: row.priority,
    kind: row.kind,
    tags: row.tags,
    created_at: row.created_at.toISOString(),
    waiting_since: row.waiting_since?.toISOString() ?? null,
    message_count: row.message_count,
    messages: row.messages.map(({ from_customer, content, created_at, files }) => ({
      from_customer,
      content,
      created_at: new Date(created_at).toISOString(),
      files,
    })),
  }))
}

export const ticketSyncRoutes = [
  batchRoute(ticketCalls.batch, ticketWriter, ['tickets']),
  attachRoute(ticketCalls.attach, 'tickets'),
  ...readRoutes(ticketCalls, 'tickets', loadTickets),
]
