import { companyDay } from '@limber/contract/kit/company.ts'
import type { Db } from '#platform/db/db.ts'
import { findInstallationValue, saveInstallationValue } from '#platform/db/installation.ts'
import { runWork, type Work } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { HANDLE_PERMISSION } from '../tickets/change-tickets.ts'
import { changeTickets } from '../tickets/ticket-change.queries.ts'
import {
  type ActiveRoundRobin,
  findActiveRoundRobins,
  findFree,
  findFreeAfter,
  findTakers,
  lockFreeTickets,
  lockRoundRobins,
  lockSharedMembers,
  noteTurn,
} from './round-robin.queries.ts'
import { type FreeTicket, isInView, nextTaker, type Taker } from './round-robin.rules.ts'

type AssignWork = Pick<Work, 'db' | 'now' | 'audit' | 'publish'>

const PAGE_SIZE = 100
const MAX_PAGES = 10
const CURSOR = 'round_robin_cursor'

interface Turn {
  roundRobin: number
  taker: Taker
  tickets: number[]
}

/** The queue that decides about a ticket: the first that it is in, also when nobody there can take it. */
const roundRobinOf = (ticket: FreeTicket, roundRobins: readonly ActiveRoundRobin[]) =>
  roundRobins.find(({ view }) => view === null || isInView(ticket, view))

/** Who gets which ticket. Members who got one last come last. */
function planTurns(
  tickets: readonly FreeTicket[],
  roundRobins: readonly ActiveRoundRobin[],
  takersOf: ReadonlyMap<number, readonly Taker[]>,
  now: Date,
): Turn[] {
  const turns = new Map<string, Turn>()
  const all = [...takersOf.values()].flat()
  for (const ticket of tickets) {
    const roundRobin = roundRobinOf(ticket, roundRobins)
    const takers = roundRobin && takersOf.get(roundRobin.id)
    const taker = roundRobin && takers && nextTaker(takers, roundRobin.max_open)
    if (!taker) continue
    // A worker can be a member of several queues.
    for (const same of all) if (same.id === taker.id) same.load += 1
    taker.lastAt = now
    const key = `${roundRobin.id} ${taker.id}`
    const turn = turns.get(key) ?? { roundRobin: roundRobin.id, taker, tickets: [] }
    turn.tickets.push(ticket.id)
    turns.delete(key)
    turns.set(key, turn)
  }
  return [...turns.values()]
}

/**
 * Assigns free tickets to the members of their queues. Each ticket is assigned once: it is locked and still free. Queues
 * wait for each other only while they have a member in common. Returns the number of assigned tickets.
 */
export async function assignTickets({ db, now, audit, publish }: AssignWork, ids: readonly number[]): Promise<number> {
  const roundRobins = ids.length > 0 ? await findActiveRoundRobins(db) : []
  if (roundRobins.length === 0) return 0
  const wanted = new Set((await findFree(db, ids)).map((ticket) => roundRobinOf(ticket, roundRobins)))
  const locked = roundRobins.filter((roundRobin) => wanted.has(roundRobin))
  if (locked.length === 0) return 0
  await lockRoundRobins(
    db,
    locked.map(({ view_id }) => view_id),
  )
  const tickets = await lockFreeTickets(db, ids)
  if (tickets.length === 0) return 0
  const queues = locked.map(({ id }) => id)
  await lockSharedMembers(db, queues)
  // A ticket that moved to another queue meanwhile waits for the next run: that queue has no takers here.
  const takers = await findTakers(db, queues, HANDLE_PERMISSION, { now, today: companyDay(now) })
  let assigned = 0
  for (const { roundRobin, taker, tickets: given } of planTurns(tickets, roundRobins, takers, now)) {
    const event = { kind: 'assigned', text: `Assigned to ${taker.name} by round robin`, workerId: null } as const
    await changeTickets(db, given, { assignee_id: taker.id }, event, now)
    await noteTurn(db, roundRobin, taker.id, now)
    for (const ticket of given) {
      const facts = { before: { assignee: null }, after: { assignee: taker.id, by: 'round robin' } }
      audit({ action: 'ticket_assigned', subject: 'ticket', subjectId: ticket, ...facts })
      publish('tickets', { ticket })
    }
    assigned += given.length
  }
  return assigned
}

/** The next waiting tickets by queue, and the last one that was read; undefined after all of them. */
async function findWaiting(db: Db): Promise<{ queues: number[][]; last: number | undefined }> {
  const roundRobins = await findActiveRoundRobins(db)
  if (roundRobins.length === 0) return { queues: [], last: undefined }
  const after = Number((await findInstallationValue(db, CURSOR)) ?? 0)
  const tickets = await findFreeAfter(db, after, PAGE_SIZE)
  const queues = Map.groupBy(tickets, (ticket) => roundRobinOf(ticket, roundRobins)?.id)
  queues.delete(undefined)
  return {
    queues: [...queues.values()].map((queue) => queue.map(({ id }) => id)),
    last: tickets.length < PAGE_SIZE ? undefined : tickets.at(-1)?.id,
  }
}

/**
 * Assigns the tickets that were free for a while: nobody was present when they arrived, or they were reopened, sorted or
 * woken since. It continues where the last run ended, so that tickets of no queue cannot keep others waiting. Each queue has
 * a transaction of its own, so that no queue is locked while another one is assigned.
 */
export async function assignWaitingTickets(services: Services): Promise<{ assigned: number }> {
  const run = <T>(work: (work: Work) => Promise<T>) => runWork(services, { call: 'schedule assign-tickets' }, work)
  let assigned = 0
  let isDone = false
  for (let page = 0; page < MAX_PAGES && !isDone; page++) {
    const { queues, last } = await run(({ db }) => findWaiting(db))
    for (const ids of queues) assigned += await run((work) => assignTickets(work, ids))
    await run(({ db, now }) => saveInstallationValue(db, CURSOR, last ?? 0, now))
    isDone = last === undefined
  }
  return { assigned }
}
