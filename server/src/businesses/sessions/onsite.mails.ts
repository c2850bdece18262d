import { formatMomentRange } from '@limber/contract/kit/formats/dates.ts'
import { MINUTE, shift } from '#platform/clock.ts'
import type { OutboxMessage } from '#platform/db/work.ts'
import type { Mail } from '#platform/mail/mail.ts'
import type { Services } from '#platform/services.ts'
import type { FullSession, ParticipantRow } from './onsite.queries.ts'

const oneLine = (text: string) => text.replace(/[\r\n\0]+/g, ' ').slice(0, 120)

function mail(session: FullSession, who: string, { to, subject, text }: Mail): OutboxMessage {
  return {
    channel: 'mail',
    // One email per change and recipient, even when the request is repeated.
    key: `onsite:${session.id}:${session.version}:${who}`,
    about: `on-site session ${session.id}`,
    payload: { to, subject: oneLine(subject), text } satisfies Mail,
  }
}

/** The company that the emails come from. */
export const companyName = ({ company }: Pick<Services, 'company'>) => company.current().name || 'Limber'

const composeText = (from: string, name: string, ...lines: (string | undefined)[]) =>
  [`Hi ${name},`, '', ...lines.filter((line) => line !== undefined), '', from].join('\n')

// Readers can be in any time zone.
const timesOf = (from: Date, to: Date, zone: string) =>
  formatMomentRange(from, to, { zone, hasWeekday: true, isZoneNamed: true })

const facts = (session: FullSession) => [
  `Business: ${session.business_name}`,
  `When: ${timesOf(session.starts_at, session.ends_at, session.time_zone)}`,
  session.location ? `Where: ${session.location}` : undefined,
  session.slot_length_minutes ? `Slots: ${session.slot_length_minutes} minutes each` : undefined,
]

const titles = {
  scheduled: 'On-site session scheduled',
  moved: 'On-site session moved',
  rearranged: 'On-site session moved',
  reassigned: 'New stretcher for your on-site session',
  cancelled: 'On-site session canceled',
  not_held: 'On-site session did not take place',
} as const

export type SessionEvent = keyof typeof titles

const ASSIGNED = 'On-site session assigned to you'
const TAKEN_OVER = 'On-site session reassigned'
const stretcherTitles: Record<SessionEvent, string> = { ...titles, rearranged: ASSIGNED, reassigned: ASSIGNED }

const toStretcher: Record<SessionEvent, string> = {
  scheduled: 'You have a new on-site session.',
  moved: 'Your on-site session has a new time.',
  rearranged: 'An on-site session was assigned to you.',
  reassigned: 'An on-site session was assigned to you.',
  cancelled: 'Your on-site session was canceled.',
  not_held: 'Your on-site session was marked as not held, so you will not be paid for it.',
}

const toBusiness: Record<SessionEvent, string> = {
  scheduled: 'Your on-site session is scheduled.',
  moved: 'Your on-site session has a new time.',
  rearranged: 'Your on-site session has a new time and a new stretcher.',
  reassigned: 'Your on-site session has a new stretcher.',
  cancelled: 'Your on-site session was canceled. Its prepaid hours are available again.',
  not_held: 'We are sorry that your on-site session did not take place. Its prepaid hours are available again.',
}

interface Recipients {
  stretcher: boolean
  business: boolean
}

/** The emails about a change, to the recipients the worker chose. The previous stretcher is informed with the new one. */
export function sessionMails(
  what: SessionEvent,
  session: FullSession,
  wanted: Recipients | undefined,
  from: string,
  before?: FullSession,
): OutboxMessage[] {
  const reason = session.cancel_reason ? `Reason: ${session.cancel_reason}` : undefined
  const mails: OutboxMessage[] = []
  const subjectOf = (title: string) => `${title}: ${session.business_name}`
  if (wanted?.stretcher) {
    const subject = subjectOf(stretcherTitles[what])
    const text = composeText(from, session.stretcher_name, toStretcher[what], '', ...facts(session), reason)
    mails.push(mail(session, 'stretcher', { to: session.stretcher_email, subject, text }))
  }
  if (wanted?.stretcher && before) {
    // They know the session by its old time.
    const lines = [`${session.stretcher_name} is taking over this on-site session from you.`, '', ...facts(before)]
    const text = composeText(from, before.stretcher_name, ...lines)
    mails.push(mail(session, 'before', { to: before.stretcher_email, subject: subjectOf(TAKEN_OVER), text }))
  }
  if (wanted?.business) {
    const who = what === 'cancelled' || what === 'not_held' ? undefined : `Stretcher: ${session.stretcher_name}`
    const text = composeText(
      from,
      session.rep_name ?? session.business_name,
      toBusiness[what],
      '',
      ...facts(session),
      who,
      reason,
    )
    mails.push(mail(session, 'business', { to: session.admin_email, subject: subjectOf(titles[what]), text }))
  }
  return mails
}

const toParticipant = {
  moved: 'The on-site session you booked a slot for has a new time.',
  cancelled: 'The on-site session you booked a slot for was canceled.',
} as const

/** One email per participant with their own times. The reason of a cancellation stays internal. */
export function participantMails(
  what: keyof typeof toParticipant,
  session: FullSession,
  participants: readonly ParticipantRow[],
  from: string,
): OutboxMessage[] {
  const minutes = session.slot_length_minutes ?? 0
  const slotInWords = ({ slot }: ParticipantRow) => {
    const from = shift(session.starts_at, slot * minutes * MINUTE)
    return `Your slot: ${timesOf(from, shift(from, minutes * MINUTE), session.time_zone)}`
  }
  return [...Map.groupBy(participants, ({ email }) => email)].flatMap(([to, theirs]) => {
    const [first] = theirs
    if (!first) return []
    const where = session.location ? `Where: ${session.location}` : undefined
    const lines = [toParticipant[what], '', `Business: ${session.business_name}`, ...theirs.map(slotInWords), where]
    const subject = `${titles[what]}: ${session.business_name}`
    return [mail(session, `slot-${first.slot}`, { to, subject, text: composeText(from, first.name, ...lines) })]
  })
}
