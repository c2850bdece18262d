import { REOPENS_WITHIN_DAYS } from '@limber/contract/support/related/related.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { findCurrentTicket, insertFollowUp, insertLink, insertLinkEvent, touchTicket } from './link.queries.ts'

interface FollowUp {
  /** Null for a customer's reply. */
  workerId: number | null
  assigneeId: number | null
}

/** Opens a follow-up of a ticket, with a link and a line in the history of both. */
export async function openFollowUp(db: Db, old: number, { workerId, assigneeId }: FollowUp, now: Date) {
  const ticket = await insertFollowUp(db, old, { workerId, assigneeId }, now)
  await insertLink(db, { from: old, to: ticket.id, kind: 'follow_up', createdBy: workerId }, now)
  await insertLinkEvent(db, ticket.id, `Follow-up of ticket ${old}`, workerId, now)
  await insertLinkEvent(db, old, `Continued in ticket ${ticket.id}`, workerId, now)
  await touchTicket(db, old, now)
  return ticket
}

/**
 * Where a customer's reply goes: into the ticket that it answers or its follow-up, or into a new follow-up when that was
 * closed for long.
 */
export async function placeReply(db: Db, replied: number, now: Date): Promise<{ id: number; old?: number }> {
  const current = await findCurrentTicket(db, replied, shift(now, -REOPENS_WITHIN_DAYS * DAY))
  if (!current?.is_long_closed) return { id: current?.id ?? replied }
  const { id } = await openFollowUp(db, current.id, { workerId: null, assigneeId: null }, now)
  return { id, old: current.id }
}
