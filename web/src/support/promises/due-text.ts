import { companyDay } from '@limber/contract/kit/company.ts'
import { daysBetween } from '@limber/contract/kit/days.ts'
import { formatDay, formatTime } from '@limber/contract/kit/formats/dates.ts'
import { formatMinutes } from '@limber/contract/kit/formats/numbers.ts'
import { SOON_MINUTES, type TicketPromise } from '@limber/contract/support/promises/promise.ts'
import type { Ticket } from '@limber/contract/support/tickets/ticket.ts'

const MINUTE = 60_000

export type DueTone = 'plain' | 'amber' | 'red'

export interface Due {
  text: string
  tone: DueTone
  icon: 'clock' | 'alarm' | 'pause' | 'check'
}

/** How much time is left, by the clock on the wall. */
export function leftText(dueAt: string, now: Date, startedAt = ''): Omit<Due, 'icon'> {
  const due = new Date(dueAt)
  // The clock of a screen ticks twice a minute: a message that has just come would be of the future.
  const at = Math.max(now.getTime(), Date.parse(startedAt) || 0)
  // A started minute counts, so that it says "1 min" until the promise is late.
  const left = Math.ceil((due.getTime() - at) / MINUTE)
  if (left <= 0) return { text: `${formatMinutes(Math.max(1, -left))} late`, tone: 'red' }
  if (left <= SOON_MINUTES) return { text: formatMinutes(left), tone: 'amber' }
  const days = daysBetween(companyDay(now), companyDay(due))
  if (days === 0) return { text: formatMinutes(left), tone: 'plain' }
  return { text: days === 1 ? 'Tomorrow' : formatDay(companyDay(due), { now, hasWeekday: days < 7 }), tone: 'plain' }
}

/** What a list says about the promise of a ticket. */
export function dueOf({ promise, status }: Pick<Ticket, 'promise' | 'status'>, now: Date): Due | undefined {
  if (!promise) return undefined
  if (promise.state === 'running' && promise.dueAt) {
    const left = leftText(promise.dueAt, now, promise.startedAt)
    return { ...left, icon: left.tone === 'red' ? 'alarm' : 'clock' }
  }
  // Between two promises, and while the ticket is snoozed.
  if (status !== 'closed') return { text: 'Paused', tone: 'plain', icon: 'pause' }
  if (promise.state === 'kept') return { text: 'Kept', tone: 'plain', icon: 'check' }
  return promise.state === 'missed' ? { text: 'Missed', tone: 'plain', icon: 'alarm' } : undefined
}

/** `today` for the day of the present. */
const dayPart = (at: Date, now: Date) => {
  const days = daysBetween(companyDay(now), companyDay(at))
  if (days === 0) return ''
  return days === 1
    ? 'tomorrow, '
    : days === -1
      ? 'yesterday, '
      : `${formatDay(companyDay(at), { now, hasWeekday: true })}, `
}

/** `10:35 AM`, `tomorrow, 9:30 AM`. */
export const dueMoment = (dueAt: string, now: Date) => `${dayPart(new Date(dueAt), now)}${formatTime(new Date(dueAt))}`

/** `1 business hour`, `30 business minutes`, `1 h 30 min of business hours`. */
export function targetText(minutes: number): string {
  if (minutes % 60 === 0) return minutes === 60 ? '1 business hour' : `${minutes / 60} business hours`
  return minutes < 60 ? `${minutes} business minutes` : `${formatMinutes(minutes)} of business hours`
}

/** `Gold, medium priority: 1 business hour.` */
export const reasonText = ({ rank, priority, targetMinutes }: TicketPromise) =>
  `${rank}, ${priority} priority: ${targetText(targetMinutes)}.`
