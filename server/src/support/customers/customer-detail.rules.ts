import { companyDay, weekStartOf } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'

const DAY = 86_400_000
const WEEKS = 12

/** Closed tickets older than this count as history. */
export const RECENT_TICKET_DAYS = 90

export const isRecentTicket = (ticket: { status: string; created_at: Date }, now: Date) =>
  ticket.status !== 'closed' || now.getTime() - ticket.created_at.getTime() <= RECENT_TICKET_DAYS * DAY

/** The first day of the twelve weeks of the company that end with the current one. */
export const firstWeek = (now: Date): string => addDays(weekStartOf(companyDay(now)), -7 * (WEEKS - 1))

/** The first word of an action's name. */
export const categoryOf = (actionType: string) => actionType.split(/[_.:/-]/)[0] || 'other'
