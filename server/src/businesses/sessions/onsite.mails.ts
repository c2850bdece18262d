import { formatMomentRange } from '@limber/contract/kit/formats/dates.ts'
import { MINUTE, shift } from '#platform/clock.ts'
import type { OutboxMessage } from '#platform/db/work.ts'
import type { Mail } from '#platform/mail/mail.ts'
import type { HeldSession, ParticipantRow } from './onsite.queries.ts'

const oneLine = (text: string) => text.replace(/[\r\n\0]+/g, ' ').slice(0, 120)

function mail(session: HeldSession, who: string, { to, subject, text }: Mail): OutboxMessage {
  return {
    channel: 'mail',
    // One mail a change and person, however often the request is repeated.
    key: `onsite:${session.id}:${session.version}:${who}`,
    about: `on-site session ${session.id}`,
    payload: { to, subject: oneLine(subject), text } satisfies Mail,
  }
}

const letter = (name: string, ...lines: (string | undefined)[]) =>
  [`Hello ${name},`, '', ...lines.filter((line) => line !== undefined), '', 'Limber'].join('\n')

// Who reads it may be in any zone.
const timesOf = (from: Date, to: Date, zone: string) =>
  formatMomentRange(from, to, { zone, hasWeekday: true, isZoneNamed: true })

const facts = (session: HeldSession) => [
  `Business: ${session.business_name}`,
  `When: ${timesOf(session.starts_at, session.ends_at, session.time_zone)}`,
  session.location ? `Where: ${session.location}` : undefined,
  session.slot_length_minutes ? `Slots: ${session.slot_length_minutes} minutes each` : undefined,
]

const titles = {
  scheduled: 'On-site session scheduled',
  moved: 'On-site session moved',
  rearranged: 'On-site session moved',
  reassigned: 'On-site session: another stretcher',
  cancelled: 'On-site session cancelled',
  not_held: 'On-site session did not take place',
} as const

export type Happening = keyof typeof titles

const toStretcher: Record<Happening, string> = {
  scheduled: 'You have a new on-site session.',
  moved: 'Your on-site session has a new time.',
  rearranged: 'You have taken over an on-site session.',
  reassigned: 'You have taken over an on-site session.',
  cancelled: 'Your on-site session was cancelled.',
  not_held: 'Your on-site session is marked as not held. It is not paid.',
}

const toBusiness: Record<Happening, string> = {
  scheduled: 'Your on-site session is scheduled.',
  moved: 'Your on-site session has a new time.',
  rearranged: 'Your on-site session has a new time, and another stretcher comes.',
  reassigned: 'Another stretcher comes to your on-site session.',
  cancelled: 'Your on-site session was cancelled. Its prepaid hours are yours again.',
  not_held: 'We are sorry that your on-site session did not take place. Its prepaid hours are yours again.',
}

interface Wanted {
  stretcher: boolean
  business: boolean
}

/** The mails about a change, to those whom the worker chose. Who lost the session is told with who got it. */
export function sessionMails(
  what: Happening,
  session: HeldSession,
  wanted: Wanted | undefined,
  before?: HeldSession,
): OutboxMessage[] {
  const reason = session.cancel_reason ? `Reason: ${session.cancel_reason}` : undefined
  const mails: OutboxMessage[] = []
  const subject = `${titles[what]}: ${session.business_name}`
  if (wanted?.stretcher) {
    const text = letter(session.stretcher_name, toStretcher[what], '', ...facts(session), reason)
    mails.push(mail(session, 'stretcher', { to: session.stretcher_email, subject, text }))
  }
  if (wanted?.stretcher && before) {
    // They know it by the time that it had.
    const lines = [`${session.stretcher_name} takes over this session from you.`, '', ...facts(before)]
    const text = letter(before.stretcher_name, ...lines)
    mails.push(
      mail(session, 'before', {
        to: before.stretcher_email,
        subject: `${titles.reassigned}: ${session.business_name}`,
        text,
      }),
    )
  }
  if (wanted?.business) {
    const who = what === 'cancelled' || what === 'not_held' ? undefined : `Stretcher: ${session.stretcher_name}`
    const text = letter(session.rep_name ?? session.business_name, toBusiness[what], '', ...facts(session), who, reason)
    mails.push(mail(session, 'business', { to: session.admin_email, subject, text }))
  }
  return mails
}

const toParticipant = {
  moved: 'The on-site session in which you booked a slot has a new time.',
  cancelled: 'The on-site session in which you booked a slot was cancelled.',
} as const

/** One mail to everybody who booked slots, with their own times. Why it was cancelled stays between staff and business. */
export function participantMails(
  what: keyof typeof toParticipant,
  session: HeldSession,
  participants: readonly ParticipantRow[],
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
    return [mail(session, `slot-${first.slot}`, { to, subject, text: letter(first.name, ...lines) })]
  })
}
