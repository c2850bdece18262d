import type { TimelineEntry, TimelineLink } from '@limber/contract/support/timeline/timeline.ts'
import {
  IconCalendarEvent,
  IconCertificate,
  IconCoins,
  IconCreditCard,
  IconFilterCheck,
  IconGift,
  IconLifebuoy,
  IconLogin2,
  IconMail,
  IconMessage,
  IconNote,
  IconReceiptRefund,
  IconSchool,
  IconShare,
  IconSignature,
  IconStar,
  IconUserEdit,
} from '@tabler/icons-react'
import { linkTo } from '#platform/routing/links.ts'
import { hasAccess, type Needs, type Session } from '#platform/session/session.tsx'
import { customersPath } from '#support/customers/customers-path.ts'

const byGroup: Readonly<Record<TimelineEntry['group'], typeof IconStar>> = {
  bookings: IconCalendarEvent,
  payments: IconCreditCard,
  credits: IconCoins,
  tickets: IconLifebuoy,
  messages: IconMessage,
  notes: IconNote,
  referrals: IconShare,
  training: IconSchool,
  account: IconUserEdit,
}

/** Where the icon of the group would say too little. */
const byKind: Readonly<Record<string, typeof IconStar>> = {
  rating: IconStar,
  ticket_rating: IconStar,
  reward: IconGift,
  reward_redeemed: IconGift,
  email: IconMail,
  lead: IconFilterCheck,
  lead_converted: IconFilterCheck,
  certification: IconCertificate,
  certification_revoked: IconCertificate,
  waiver_signed: IconSignature,
  signed_in: IconLogin2,
}

export function iconOf({ group, kind, amount }: TimelineEntry) {
  if (kind === 'payment' && amount?.startsWith('-')) return IconReceiptRefund
  return byKind[kind] ?? byGroup[group]
}

type Target = ReturnType<typeof linkTo>

const screens: Readonly<Record<Exclude<TimelineLink['to'], 'customer'>, { needs: Needs; link(id: number): Target }>> = {
  ticket: { needs: 'tickets.handle', link: (ticket) => linkTo('/support/tickets', { ticket }) },
  lead: { needs: 'growth.tab', link: (lead) => linkTo('/growth/conversion', { lead }) },
  certification: {
    needs: 'businesses.manage',
    link: (certification) => linkTo('/certifications', { certification }),
  },
  stretcher: {
    needs: 'businesses.manage',
    link: (stretcher) => linkTo('/worker/managing/stretchers', { stretcher }),
  },
  session: {
    needs: 'businesses.manage',
    link: (session) => linkTo('/worker/managing/businesses/sessions', { session }),
  },
  course: { needs: 'training.manage', link: (course) => linkTo('/worker/managing/training', { course }) },
}

/** The screen of a record, if the reader may open it. */
export function targetOf({ to, id }: TimelineLink, session: Session): Target | undefined {
  if (to === 'customer') {
    const place = customersPath(session)
    return place && linkTo(place, { user: id })
  }
  const { needs, link } = screens[to]
  return hasAccess(session, needs) ? link(id) : undefined
}

export type Answer = 'reply' | 'note' | 'text' | 'credits'

const answers: Readonly<Record<string, { answer: Answer; needs: Needs }>> = {
  ticket: { answer: 'reply', needs: 'tickets.handle' },
  ticket_message: { answer: 'reply', needs: 'tickets.handle' },
  ticket_note: { answer: 'reply', needs: 'tickets.handle' },
  ticket_rating: { answer: 'reply', needs: 'tickets.handle' },
  note: { answer: 'note', needs: ['users.overview', 'users.directory'] },
  text: { answer: 'text', needs: 'support.tab' },
  credit: { answer: 'credits', needs: ['users.overview', 'users.directory'] },
}

/** How the reader can answer an entry in place. */
export function answerOf({ kind }: TimelineEntry, session: Session): Answer | undefined {
  const found = answers[kind]
  return found && hasAccess(session, found.needs) ? found.answer : undefined
}
