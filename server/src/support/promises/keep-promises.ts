import type { Db } from '#platform/db/db.ts'
import {
  findOpenPromises,
  findReplies,
  findSettings,
  findThreads,
  lockTimes,
  markDueSoon,
  removeOpen,
  rulesOf,
  type SavedClock,
  type SavedTimes,
  type SettingsRow,
  saveClocks,
  saveTimes,
  type ThreadRow,
  type TicketTimes,
} from './promise.queries.ts'
import { type Clock, type Entry, entryOf, replay, type Standing, step } from './promise.rules.ts'

const standingOf = (ticket: TicketTimes, isFirst: boolean): Standing => ({
  waitingSince: ticket.is_merged ? null : ticket.waiting_since,
  isStopped: ticket.status === 'closed' || ticket.is_snoozed,
  priority: ticket.priority,
  rank: ticket.rank,
  isFirst,
})

const timesOf = (ticket: TicketTimes, firstReplyAt: Date | null, at: Date): SavedTimes => ({
  ticketId: ticket.id,
  channel: ticket.channel,
  firstReplyAt,
  closedAt: ticket.status === 'closed' ? (ticket.closed_at ?? at) : null,
})

/** Tickets are due soon by their open promise; their queue counts them. */
async function markQueue(db: Db, tickets: readonly TicketTimes[], open: ReadonlyMap<number, Clock>, now: Date) {
  const isSoon = ({ id }: TicketTimes) => {
    const clock = open.get(id)
    return clock?.runningSince != null && clock.soonAt !== null && clock.soonAt <= now
  }
  const changed = tickets.filter((ticket) => isSoon(ticket) !== ticket.is_due_soon)
  const idsOf = (isNow: boolean) => changed.filter((one) => isSoon(one) === isNow).map(({ id }) => id)
  await markDueSoon(db, idsOf(true), true)
  await markDueSoon(db, idsOf(false), false)
}

/**
 * Follows a change of tickets that was just written: their promises are kept, paused, resumed or begin. Each function that
 * writes tickets calls it in the same transaction.
 */
export async function keepPromises(db: Db, ids: readonly number[], now: Date): Promise<void> {
  const tickets = await lockTimes(db, ids)
  if (tickets.length === 0) return
  const settings = await findSettings(db)
  const before = settings ? await findOpenPromises(db, ids) : new Map<number, Clock>()
  const answered = tickets.filter((one) => !one.waiting_since && (before.has(one.id) || !one.first_reply_at))
  const replies = await findReplies(
    db,
    answered.map(({ id }) => id),
  )
  const times: SavedTimes[] = []
  const clocks: SavedClock[] = []
  const open = new Map<number, Clock>()
  for (const ticket of tickets) {
    const firstReplyAt = ticket.first_reply_at ?? replies.get(ticket.id) ?? null
    times.push(timesOf(ticket, firstReplyAt, now))
    if (!settings) continue
    const next = step(before.get(ticket.id), standingOf(ticket, ticket.first_reply_at === null), now, rulesOf(settings))
    for (const clock of [next.ended, next.open]) if (clock) clocks.push({ ...clock, ticketId: ticket.id })
    if (next.open) open.set(ticket.id, next.open)
  }
  await saveTimes(db, times)
  await saveClocks(db, clocks)
  await markQueue(db, tickets, open, now)
}

function entriesOf(rows: readonly ThreadRow[]): Entry[] {
  return rows.flatMap(({ at, what, kind, text }) =>
    what === 'event' ? (entryOf(kind, text, at) ?? []) : { at, kind: what },
  )
}

/** The promises of a ticket by its thread. Nothing was promised before there were settings. */
function replayed(ticket: TicketTimes, rows: readonly ThreadRow[], settings: SettingsRow, since: Date, now: Date) {
  const rules = rulesOf(settings)
  const clocks = replay({ priority: ticket.opened_priority, rank: ticket.rank }, entriesOf(rows), rules)
  const last = clocks.findLast(({ endedAt }) => endedAt === null)
  const isFirst = !rows.some(({ what }) => what === 'answered')
  // What the thread does not tell, the ticket does: it was closed as spam, merged, or reopened by a program.
  const { open } = step(last, standingOf(ticket, isFirst), now, rules)
  const ended = clocks.filter(({ endedAt }) => endedAt !== null && endedAt >= since)
  return { ended, open }
}

/**
 * Computes the promises of tickets anew from their threads, under the settings that apply now. What has ended stays as it
 * was. For jobs: it reads whole threads.
 */
export async function replayTickets(db: Db, ids: readonly number[], since: Date | undefined, now: Date): Promise<void> {
  const tickets = await lockTimes(db, ids)
  if (tickets.length === 0) return
  const settings = await findSettings(db)
  const threads = Map.groupBy(await findThreads(db, ids), ({ ticket_id }) => ticket_id)
  const clocks: SavedClock[] = []
  const times: SavedTimes[] = []
  const open = new Map<number, Clock>()
  for (const ticket of tickets) {
    const rows = threads.get(ticket.id) ?? []
    const firstReply = rows.find(({ what }) => what === 'answered')?.at ?? null
    const closedAt = rows.findLast(({ kind, text }) => kind === 'status' && text === 'Set to Closed')?.at
    times.push(timesOf(ticket, firstReply, closedAt ?? rows.at(-1)?.at ?? now))
    if (!settings) continue
    const next = replayed(ticket, rows, settings, since ?? settings.saved_at, now)
    for (const clock of next.ended) clocks.push({ ...clock, ticketId: ticket.id })
    if (!next.open) continue
    clocks.push({ ...next.open, ticketId: ticket.id })
    open.set(ticket.id, next.open)
  }
  await saveTimes(db, times)
  // The key of a promise is when it began; an open one that began otherwise was computed from an incomplete thread.
  const kept = new Set(clocks.map(({ ticketId, startedAt }) => `${ticketId} ${startedAt.getTime()}`))
  const opened = await findOpenPromises(db, ids)
  await removeOpen(
    db,
    [...opened].filter(([id, { startedAt }]) => !kept.has(`${id} ${startedAt.getTime()}`)).map(([id]) => id),
  )
  await saveClocks(db, clocks)
  await markQueue(db, tickets, open, now)
}
