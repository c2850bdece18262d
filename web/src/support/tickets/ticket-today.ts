import { listTickets, type Ticket } from '@limber/contract/support/tickets/ticket.ts'
import { IconLifebuoy } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { TodayItem } from '#platform/routing/sections.ts'
import { findDueTasks, findWatchedNews } from '#support/related/related-today.ts'
import { momentText } from '#ui/format/moment-text.ts'

const SHOWN = 5

// Longest wait first, then the tickets where we wait for the customer.
const byWaiting = (a: Ticket, b: Ticket) =>
  (a.waitingSince ?? '9').localeCompare(b.waitingSince ?? '9') || b.updatedAt.localeCompare(a.updatedAt)

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

/** This worker's assigned tickets that are not closed. */
async function findMyTickets(signal: AbortSignal): Promise<TodayItem[]> {
  const read = (status: 'open' | 'in_progress') =>
    send(listTickets, { query: { assignee: 'me', status, limit: '50' } }, { signal })
  const mine = (await Promise.all([read('open'), read('in_progress')])).flat().toSorted(byWaiting)
  const items: TodayItem[] = mine.slice(0, SHOWN).map(({ id, subject, customer, customer_email, waitingSince }) => ({
    id: `ticket-${id}`,
    title: subject,
    detail: `${customer?.name ?? customer_email}${waitingSince ? `, ${waitText(waitingSince)}` : ''}`,
    path: hrefTo('/support/tickets', { assignee: 'me', ticket: id }),
    icon: IconLifebuoy,
  }))
  const rest = mine.length - items.length
  if (rest <= 0) return items
  const more = {
    id: 'tickets-more',
    title: `${rest} more of your tickets`,
    path: hrefTo('/support/tickets', { assignee: 'me' }),
    icon: IconLifebuoy,
  }
  return [...items, more]
}
