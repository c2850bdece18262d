import { type CustomerRank, type PromiseKind, SOON_MINUTES } from '@limber/contract/support/promises/promise.ts'
import type { TicketPriority } from '@limber/contract/support/tickets/ticket.ts'
import { addBusinessTime, type BusinessHours, businessTime } from './business-time.rules.ts'

const MINUTE = 60_000
const SOON = SOON_MINUTES * MINUTE

type Targets = Record<PromiseKind, Record<TicketPriority, Record<CustomerRank, number | null>>>

/** One version of the settings. */
export interface Rules {
  version: number
  hours: BusinessHours
  /** In minutes. */
  targets: Targets
}

export type Outcome = 'kept' | 'missed' | 'unanswered'

/** A promise. Its clock runs while the customer waits and the ticket is neither closed nor snoozed. */
export interface Clock {
  kind: PromiseKind
  startedAt: Date
  priority: TicketPriority
  rank: CustomerRank
  version: number
  /** Null when nothing is promised. */
  targetMs: number | null
  /** Business time until `runningSince`. */
  spentMs: number
  /** Null while it is paused or ended. */
  runningSince: Date | null
  /** By when we have to respond. Null while it is paused with time left. */
  dueAt: Date | null
  soonAt: Date | null
  endedAt: Date | null
  outcome: Outcome | null
}

/** What decides over the clock of a ticket. */
export interface Standing {
  /** Since when the customer waits. */
  waitingSince: Date | null
  /** Closed, snoozed or merged. */
  isStopped: boolean
  priority: TicketPriority
  rank: CustomerRank
  /** Nobody has responded yet. */
  isFirst: boolean
}

/** Sets when the promise is soon due and due. Once that has come, it stays, whatever happens to the ticket. */
function withDueTimes(clock: Clock, { hours }: Rules): Clock {
  const { targetMs, spentMs, runningSince } = clock
  if (targetMs === null) return { ...clock, dueAt: null, soonAt: null }
  const left = targetMs - spentMs
  if (!runningSince) return left <= 0 ? clock : { ...clock, dueAt: null, soonAt: null }
  if (left <= 0) return { ...clock, dueAt: clock.dueAt ?? runningSince, soonAt: clock.soonAt ?? runningSince }
  return {
    ...clock,
    dueAt: addBusinessTime(hours, runningSince, left),
    soonAt: addBusinessTime(hours, runningSince, Math.max(0, left - SOON)),
  }
}

function pause(clock: Clock, at: Date, rules: Rules): Clock {
  if (!clock.runningSince) return clock
  const spentMs = clock.spentMs + businessTime(rules.hours, clock.runningSince, at)
  return { ...clock, spentMs, runningSince: null }
}

/** The time it was due stays, to be shown. */
function end(running: Clock, at: Date, isAnswered: boolean, rules: Rules): Clock {
  const clock = { ...pause(running, at, rules), endedAt: at }
  if (clock.targetMs === null) return clock
  // By the moment it was due: a response before the desk opens again takes no more business time, and is late.
  const isInTime = clock.dueAt === null || at <= clock.dueAt
  return { ...clock, outcome: isInTime ? (isAnswered ? 'kept' : 'unanswered') : 'missed' }
}

function start({ waitingSince, priority, rank, isFirst }: Standing & { waitingSince: Date }, rules: Rules): Clock {
  const kind = isFirst ? 'first' : 'next'
  const minutes = rules.targets[kind][priority][rank]
  return {
    kind,
    startedAt: waitingSince,
    priority,
    rank,
    version: rules.version,
    targetMs: minutes === null ? null : minutes * MINUTE,
    spentMs: 0,
    runningSince: waitingSince,
    dueAt: null,
    soonAt: null,
    endedAt: null,
    outcome: null,
  }
}

/** A new priority counts from the start; when more time has passed than it allows, the response is due at once. */
function withPriority(clock: Clock, priority: TicketPriority, at: Date, rules: Rules): Clock {
  if (clock.priority === priority) return clock
  const minutes = rules.targets[clock.kind][priority][clock.rank]
  const targetMs = minutes === null ? null : minutes * MINUTE
  const isRunning = clock.runningSince !== null
  const stopped = pause(clock, at, rules)
  const isLate = targetMs !== null && stopped.spentMs >= targetMs
  const wasLate = isLate && clock.targetMs !== null && stopped.spentMs >= clock.targetMs
  return {
    ...stopped,
    priority,
    targetMs,
    runningSince: isRunning ? at : null,
    dueAt: wasLate ? clock.dueAt : isLate ? at : null,
    soonAt: wasLate ? clock.soonAt : isLate ? at : null,
  }
}

export interface Step {
  /** The promise that ended. */
  ended: Clock | undefined
  /** The promise that is open now. */
  open: Clock | undefined
}

/** What a change of the ticket at a moment does to its open promise. The only rule for timers. */
export function step(before: Clock | undefined, ticket: Standing, at: Date, rules: Rules): Step {
  const { waitingSince, isStopped, priority } = ticket
  const isSame = before?.startedAt.getTime() === waitingSince?.getTime()
  const ended = before && !isSame ? end(before, at, waitingSince === null, rules) : undefined
  if (!waitingSince) return { ended, open: undefined }
  let open = before && isSame ? before : start({ ...ticket, waitingSince }, rules)
  open = withPriority(open, priority, at, rules)
  if (isStopped) open = pause(open, at, rules)
  else if (!open.runningSince) open = { ...open, runningSince: at }
  return { ended, open: withDueTimes(open, rules) }
}

/** One entry of a thread, as far as it matters to timers. */
export type Entry = { at: Date } & (
  | { kind: 'asked' | 'answered' | 'closed' | 'opened' | 'snoozed' | 'woken' }
  | { kind: 'priority'; priority: TicketPriority }
)

/** Every promise of a ticket, computed anew from its thread. The last one may be open. */
export function replay(
  opening: { priority: TicketPriority; rank: CustomerRank },
  entries: readonly Entry[],
  rules: Rules,
): Clock[] {
  const clocks: Clock[] = []
  let open: Clock | undefined
  let waitingSince: Date | null = null
  let { priority } = opening
  let isClosed = false
  let isSnoozed = false
  let isFirst = true
  for (const entry of entries) {
    const { at } = entry
    if (entry.kind === 'asked') {
      // A customer who writes to a closed ticket begins to wait anew.
      waitingSince = isClosed ? at : (waitingSince ?? at)
      isClosed = false
      isSnoozed = false
    } else if (entry.kind === 'answered') waitingSince = null
    else if (entry.kind === 'priority') priority = entry.priority
    else if (entry.kind === 'closed' || entry.kind === 'opened') isClosed = entry.kind === 'closed'
    else isSnoozed = entry.kind === 'snoozed'
    if (isClosed) isSnoozed = false
    const standing = { waitingSince, isStopped: isClosed || isSnoozed, priority, rank: opening.rank, isFirst }
    const next = step(open, standing, at, rules)
    if (next.ended) clocks.push(next.ended)
    open = next.open
    if (entry.kind === 'answered') isFirst = false
  }
  return open ? [...clocks, open] : clocks
}

/** What an event of the history did to the ticket; undefined for what timers do not follow. */
export function entryOf(kind: string, text: string, at: Date): Entry | undefined {
  if (kind === 'status') return { at, kind: text === 'Set to Closed' ? 'closed' : 'opened' }
  if (kind === 'snoozed') return { at, kind: text === 'Snooze ended' ? 'woken' : 'snoozed' }
  const priority = kind === 'priority' && /^Priority set to (low|medium|high)$/.exec(text)?.[1]
  return priority ? { at, kind: 'priority', priority: priority as TicketPriority } : undefined
}
