import { companyDay } from '@limber/contract/kit/company.ts'
import { findInstallationValue, saveInstallationValue } from '#platform/db/installation.ts'
import { runWork, type Work } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { HANDLE_PERMISSION } from '../tickets/change-tickets.ts'
import { changeTickets } from '../tickets/ticket-change.queries.ts'
import {
  type ActiveRoundRobin,
  findActiveRoundRobins,
  findFreeTickets,
  findTakers,
  lockFreeTickets,
  lockRoundRobins,
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

/** Who gets which ticket. The first queue that a ticket is in decides, also when nobody there can take it. */
function planTurns(
  tickets: readonly FreeTicket[],
  roundRobins: readonly ActiveRoundRobin[],
  takersOf: ReadonlyMap<number, readonly Taker[]>,
  now: Date,
): Turn[] {
  const turns = new Map<string, Turn>()
  const all = [...takersOf.values()].flat()
  for (const ticket of tickets) {
    const roundRobin = roundRobins.find(({ view }) => view === null || isInView(ticket, view))
    const takers = roundRobin && takersOf.get(roundRobin.id)
    const taker = roundRobin && takers && nextTaker(takers, roundRobin.max_open)
    if (!taker) continue
    // A worker can be a member of several queues.
    for (const same of all) if (same.id === taker.id) same.load += 1
    taker.lastAt = now
    const key = `${roundRobin.id} ${taker.id}`
    const turn = turns.get(key) ?? { roundRobin: roundRobin.id, taker, tickets: [] }
    turn.tickets.push(ticket.id)
    turns.set(key, turn)
  }
  return [...turns.values()]
}

/**
 * Assigns free tickets to the members of their queues. Each ticket is assigned once: it is locked and still free, and only
 * one assignment runs at a time. Returns the number of assigned tickets.
 */
export async function assignTickets({ db, now, audit, publish }: AssignWork, ids: readonly number[]): Promise<number> {
  const roundRobins = ids.length > 0 ? await findActiveRoundRobins(db) : []
  if (roundRobins.length === 0) return 0
  await lockRoundRobins(db)
  const tickets = await lockFreeTickets(db, ids)
  if (tickets.length === 0) return 0
  const day = { now, today: companyDay(now) }
  const takers = await findTakers(
    db,
    roundRobins.map(({ id }) => id),
    HANDLE_PERMISSION,
    day,
  )
  let assigned = 0
  for (const { roundRobin, taker, tickets: given } of planTurns(tickets, roundRobins, takers, now)) {
    const event = { kind: 'assigned', text: `Assigned to ${taker.name} by round robin`, workerId: null } as const
    await changeTickets(db, given, { assignee_id: taker.id }, event, now)
    await noteTurn(db, roundRobin, [taker.id], now)
    for (const ticket of given) {
      const facts = { before: { assignee: null }, after: { assignee: taker.id, by: 'round robin' } }
      audit({ action: 'ticket_assigned', subject: 'ticket', subjectId: ticket, ...facts })
      publish('tickets', { ticket })
    }
    assigned += given.length
  }
  return assigned
}

/**
 * Assigns the tickets that were free for a while: nobody was present when they arrived, or they were reopened, sorted or
 * woken since. It continues where the last run ended, so that tickets of no queue cannot keep others waiting.
 */
export async function assignWaitingTickets(services: Services): Promise<{ assigned: number }> {
  let assigned = 0
  let isDone = false
  for (let page = 0; page < MAX_PAGES && !isDone; page++)
    await runWork(services, { call: 'schedule assign-tickets' }, async (work) => {
      if ((await findActiveRoundRobins(work.db)).length === 0) {
        isDone = true
        return
      }
      const after = Number((await findInstallationValue(work.db, CURSOR)) ?? 0)
      const ids = await findFreeTickets(work.db, after, PAGE_SIZE)
      assigned += await assignTickets(work, ids)
      isDone = ids.length < PAGE_SIZE
      await saveInstallationValue(work.db, CURSOR, isDone ? 0 : ids.at(-1), work.now)
    })
  return { assigned }
}
