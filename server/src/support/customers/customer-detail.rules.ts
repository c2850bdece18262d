import { companyDay } from '@limber/contract/kit/company.ts'

const DAY = 86_400_000
const WEEKS = 12

/** Closed tickets older than this count as history. */
export const RECENT_TICKET_DAYS = 90

export const isRecentTicket = (ticket: { status: string; created_at: Date }, now: Date) =>
  ticket.status !== 'closed' || now.getTime() - ticket.created_at.getTime() <= RECENT_TICKET_DAYS * DAY

/** The first day of the twelve weeks that end with the current one. Weeks start on Monday in the company's time zone. */
export function firstWeek(now: Date): string {
  const today = new Date(companyDay(now))
  const sinceMonday = (today.getUTCDay() + 6) % 7
  return new Date(today.getTime() - (sinceMonday + 7 * (WEEKS - 1)) * DAY).toISOString().slice(0, 10)
}

/** The first word of an action's name. */
export const categoryOf = (actionType: string) => actionType.split(/[_.:/-]/)[0] || 'other'
