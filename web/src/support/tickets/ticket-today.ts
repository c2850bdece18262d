import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { listQueues } from '@limber/contract/support/queues/queue.ts'
import { listTickets, type Ticket } from '@limber/contract/support/tickets/ticket.ts'
import { IconAlarm, IconLifebuoy } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { now } from '#platform/clock.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { TodayItem, TodayNumber } from '#platform/routing/sections.ts'
import { findDueTasks, findWatchedNews } from '#support/related/related-today.ts'
import { momentText } from '#ui/format/moment-text.ts'
import { dueMoment, leftText } from '../promises/due-text.ts'

const SHOWN = 5

const dueAt = ({ promise }: Ticket) => (promise?.state === 'running' && promise.dueAt) || '9'

// First due first, then the longest wait, then the tickets where we wait for the customer.
const byWaiting = (a: Ticket, b: Ticket) =>
  dueAt(a).localeCompare(dueAt(b)) ||
  (a.waitingSince ?? '9').localeCompare(b.waitingSince ?? '9') ||
  b.updatedAt.localeCompare(a.updatedAt)

/** For example `waiting 6 min`, `waiting since yesterday`, `waiting since Mon`. */
function waitText(since: string): string {
  const age = momentText(since, 'age')
  if (age === 'now') return 'just now'
  if (/ (min|h)$/.test(age)) return `waiting ${age}`
  return `waiting since ${age === 'Yesterday' ? 'yesterday' : age}`
}

/** This worker's due tasks, assigned tickets that are not closed, and what happened in watched tickets. */
export async function findMyWork(signal: AbortSignal): Promise<TodayItem[]> {
  const parts = await Promise.all([findDueTasks(signal), findMyTickets(signal), findWatchedNews(signal)])
  return parts.flat()
}

/** What a ticket asks for: `respond by 10:35 AM`, `12 min late`, `waiting 6 min`. */
function needOf(ticket: Ticket): Pick<TodayItem, 'need' | 'due' | 'when' | 'isUrgent'> {
  const { waitingSince } = ticket
  const due = dueAt(ticket)
  if (due === '9')
    return waitingSince ? { need: 'waiting', due: waitingSince, when: waitText(waitingSince) } : { need: 'tidy' }
  const left = leftText(due, now())
  const when = left.tone === 'red' ? left.text : `respond by ${dueMoment(due, now())}`
  return { need: 'waiting', due, when, ...(left.tone !== 'plain' && { isUrgent: true }) }
}

/** For leads: how many tickets are soon due or late. */
export async function findDueTickets(signal: AbortSignal): Promise<TodayItem[]> {
  const { queues } = await send(listQueues, {}, { signal })
  const { breaching } = queues
  if (breaching === 0) return []
  const [first] = await send(listTickets, { query: { queue: 'breaching', limit: '1' } }, { signal })
  const due = first?.promise?.dueAt
  return [
    {
      id: 'tickets-due',
      need: 'waiting',
      title: `${pluralize(breaching, 'ticket')} soon due or late`,
      ...(due && { due, when: `the first ${dueMoment(due, now())}` }),
      isUrgent: true,
      path: hrefTo('/support/tickets', { queue: 'breaching' }),
      icon: IconAlarm,
      action: { label: 'Open queue' },
    },
  ]
}

/** How many tickets the queues hold. */
export async function findQueueNumbers(signal: AbortSignal): Promise<TodayNumber[]> {
  const { queues } = await send(listQueues, {}, { signal })
  const numberOf = (queue: 'unassigned' | 'breaching' | 'snoozed', label: string): TodayNumber => ({
    id: `queue-${queue}`,
    label,
    value: formatInteger(queues[queue]),
    path: hrefTo('/support/tickets', { queue }),
  })
  return [
    numberOf('unassigned', 'Unassigned tickets'),
    { ...numberOf('breaching', 'Breaching soon'), isUrgent: queues.breaching > 0 },
    numberOf('snoozed', 'Snoozed tickets'),
  ]
}

/** This worker's assigned tickets that are not closed. */
async function findMyTickets(signal: AbortSignal): Promise<TodayItem[]> {
  const read = (status: 'open' | 'in_progress') =>
    send(listTickets, { query: { assignee: 'me', status, limit: '50' } }, { signal })
  const mine = (await Promise.all([read('open'), read('in_progress')])).flat().toSorted(byWaiting)
  const items: TodayItem[] = mine.slice(0, SHOWN).map((ticket) => ({
    id: `ticket-${ticket.id}`,
    title: ticket.subject,
    detail: ticket.customer?.name ?? ticket.customer_email,
    ...needOf(ticket),
    path: hrefTo('/support/tickets', { assignee: 'me', ticket: ticket.id }),
    icon: IconLifebuoy,
    action: { label: 'Reply' },
  }))
  const rest = mine.length - items.length
  if (rest <= 0) return items
  const more = {
    id: 'tickets-more',
    title: `${rest} more of your tickets`,
    path: hrefTo('/support/tickets', { assignee: 'me' }),
    icon: IconLifebuoy,
  }
  return [...items, { ...more, need: 'tidy', action: { label: 'Open queue' } }]
}
