import { codeOf } from '@limber/contract/access/permissions.ts'
import type { splitTicket } from '@limber/contract/support/related/related.ts'
import {
  type assignTicket,
  type changeTicket,
  type mergeTicket,
  readTicket,
  type setTicketPriority,
  type setTicketStatus,
  type TicketChange,
} from '@limber/contract/support/tickets/ticket.ts'
import type { Db } from '#platform/db/db.ts'
import type { Work } from '#platform/db/work.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import type { Caller } from '#platform/http/routes.ts'
import { lockTagName } from '../queues/tag.queries.ts'
import { presentTicket } from './ticket.present.ts'
import { findTicket, type LockedTicket, lockTicket } from './ticket.queries.ts'
import { planChange } from './ticket.rules.ts'
import { changeTickets, findTicketWorker } from './ticket-change.queries.ts'

/** The permission that an assignee needs. */
export const HANDLE_PERMISSION = codeOf('tickets.handle')

export async function showTicket(db: Db, id: number) {
  const row = await findTicket(db, id)
  if (!row) throw refuse(readTicket, 'not_found')
  return presentTicket(row)
}

type ChangeCall =
  | typeof setTicketStatus
  | typeof assignTicket
  | typeof setTicketPriority
  | typeof mergeTicket
  | typeof changeTicket
  | typeof splitTicket

/** Locks the ticket for a change; refuses merged and stale ones. */
export function lockUnmerged(call: ChangeCall, db: Db, id: number, version: number | undefined): Promise<LockedTicket> {
  const find = async () => {
    const ticket = await lockTicket(db, id)
    if (ticket?.merged_into_id) throw refuse(call, 'merged', { values: { into: ticket.merged_into_id } })
    return ticket
  }
  return loadForUpdate(call, find(), version, () => showTicket(db, id))
}

type ChangeContext = Pick<Work, 'db' | 'now' | 'audit' | 'publish' | 'emit'> & { worker: Caller }

/** The name of the new assignee or the tag; a refusal when it cannot be used. */
async function nameIn(
  db: Db,
  change: TicketChange,
): Promise<string | undefined | { refusal: 'no_assignee' | 'no_tag' }> {
  if ('workerId' in change && change.workerId !== null)
    return (await findTicketWorker(db, change.workerId, HANDLE_PERMISSION)) ?? { refusal: 'no_assignee' }
  if ('addTag' in change) return (await lockTagName(db, change.addTag)) ?? { refusal: 'no_tag' }
  return 'removeTag' in change ? await lockTagName(db, change.removeTag) : undefined
}

/**
 * Applies one change to locked tickets, with history, audit row and live message for each. Returns the tickets that
 * changed, without those that already had the value, or why no ticket can take it.
 */
export async function applyChange(
  { db, now, worker, audit, publish, emit }: ChangeContext,
  locked: readonly LockedTicket[],
  change: TicketChange,
): Promise<LockedTicket[] | { refusal: 'no_assignee' | 'no_tag' | 'past' }> {
  if ('snooze' in change && change.snooze?.until && new Date(change.snooze.until) <= now) return { refusal: 'past' }
  const name = await nameIn(db, change)
  if (typeof name === 'object') return name
  const { columns, readValue, value, event, action, fact } = planChange(change, name, worker.workerId)
  const changed = locked.filter((ticket) => readValue(ticket) !== value)
  const ids = changed.map(({ id }) => id)
  if (ids.length > 0) await changeTickets(db, ids, columns, event, now)
  for (const ticket of changed) {
    const facts = { before: { [fact]: readValue(ticket) }, after: { [fact]: value } }
    audit({ action, subject: 'ticket', subjectId: ticket.id, ...facts })
    if (value === 'closed')
      emit({ type: 'ticket.closed', of: 'ticket', ids: { ticket: ticket.id, customer: ticket.customer_id } })
    publish('tickets', { ticket: ticket.id })
  }
  return changed
}
