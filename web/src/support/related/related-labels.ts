import { formatMoney } from '@limber/contract/kit/formats/money.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { CustomerEvent, TicketLinkKind } from '@limber/contract/support/related/related.ts'
import type { TicketTask } from '@limber/contract/support/tickets/ticket-task.ts'
import {
  IconCalendarCheck,
  IconCalendarX,
  IconCoins,
  IconCreditCard,
  IconLifebuoy,
  IconMessage,
  IconShare,
  IconStar,
} from '@tabler/icons-react'
import { momentText } from '#ui/format/moment-text.ts'

export const linkLabels: Record<TicketLinkKind, string> = {
  split_from: 'Split from',
  split_into: 'Split off',
  follow_up_of: 'Follow-up of',
  followed_by: 'Continued in',
  related: 'Linked',
}

export const eventIcons: Record<CustomerEvent['kind'], typeof IconStar> = {
  text_in: IconMessage,
  text_out: IconMessage,
  rating: IconStar,
  session: IconCalendarCheck,
  canceled: IconCalendarX,
  credits: IconCoins,
  payment: IconCreditCard,
  ticket: IconLifebuoy,
  referral: IconShare,
}

const withName = (what: string, name: string) => (name === '' ? what : `${what} with ${name}`)

/** An event as one line. */
export function eventText({ kind, text, count, amount }: CustomerEvent): string {
  switch (kind) {
    case 'text_in':
      return `Text: “${text}”`
    case 'text_out':
      return `We texted: “${text}”`
    case 'rating':
      return `Rated ${text || 'a session'} ${count} of 5`
    case 'session':
      return withName('Session', text)
    case 'canceled':
      return withName('Canceled a session', text)
    case 'credits':
      return `${pluralize(count ?? 0, 'credit')} ${text}`
    case 'payment':
      return `${text}, ${formatMoney(amount ?? '0')}`
    case 'ticket':
      return `Ticket: ${text}`
    case 'referral':
      return `Referral: ${text}`
  }
}

/** A bad rating is the one thing that must not be overlooked. */
export const isBad = ({ kind, count }: CustomerEvent) => kind === 'rating' && count !== null && count <= 2

export function taskText({ kind, booking }: Pick<TicketTask, 'kind' | 'booking'>): string {
  if (kind === 'callback' || !booking) return 'Call back'
  const when = momentText(booking.startsAt, 'moment')
  if (kind === 'cancel_booking') return `Cancel the session on ${when}`
  return `Move the session on ${when}${booking.wantedAt ? ` to ${momentText(booking.wantedAt, 'moment')}` : ''}`
}
