import { companyDay } from '@limber/contract/kit/company.ts'

const DAY = 86_400_000
const WEEKS = 12

/** Tickets older than this stand under the earlier ones, unless they are still open. */
export const RECENT_TICKET_DAYS = 90

export const isRecentTicket = (ticket: { status: string; created_at: Date }, now: Date) =>
  ticket.status !== 'closed' || now.getTime() - ticket.created_at.getTime() <= RECENT_TICKET_DAYS * DAY

/** The first day of the first of the twelve weeks that end with this one; they begin on the company's Monday. */
export function firstWeek(now: Date): string {
  const today = new Date(companyDay(now))
  const sinceMonday = (today.getUTCDay() + 6) % 7
  return new Date(today.getTime() - (sinceMonday + 7 * (WEEKS - 1)) * DAY).toISOString().slice(0, 10)
}

/** What an action belongs to: the first word of its name. */
export const categoryOf = (actionType: string) => actionType.split(/[_.:/-]/)[0] || 'other'
