import {
  type Audience,
  audienceWords,
  FIRST_NAME,
  type NotificationChannel,
  PASSKEY_ABOVE,
  UNDO_SECONDS,
} from '@limber/contract/support/notifications/notification.ts'
import { asHtml, escapeHtml } from '../inbox/mail-text.rules.ts'

const SECOND = 1_000
const DAY = 86_400_000
const FARTHEST = 90 * DAY
const TEXT_MOST = 640
const STOP_LINE = 'Reply STOP to opt out.'

/** An audience in words, with the zone and the tier it is narrowed to. */
export const audienceText = (audience: Audience, zone: string | undefined) =>
  [
    audienceWords[audience.kind],
    ...(zone ? [`in ${zone}`] : []),
    ...(audience.valueTier ? [`of tier ${audience.valueTier}`] : []),
  ].join(' ')

/** When a notification goes out: at once means after the time in which it can be undone. */
export function decideSendAt(wanted: string | null | undefined, now: Date) {
  const soonest = new Date(now.getTime() + UNDO_SECONDS * SECOND)
  if (!wanted) return { sendAt: soonest, isForLater: false }
  const at = new Date(wanted)
  if (at <= now) return { refusal: 'past' as const }
  if (at.getTime() > now.getTime() + FARTHEST) return { refusal: 'too_far' as const }
  return { sendAt: at < soonest ? soonest : at, isForLater: true }
}

/** Is what the preview said still about true? A few people come and go at any time. */
export const hasMoved = (promised: number | undefined, people: number) =>
  promised !== undefined && Math.abs(people - promised) > Math.max(5, promised / 10)

/** Why one was not sent that had grown beyond what goes without a passkey. */
export const withoutPasskey = (people: number) =>
  `It would have gone to ${people} people. More than ${PASSKEY_ABOVE} need a passkey, and it was made without one.`

interface Draft {
  title: string
  body: string
}

const fillIn = (text: string, firstName: string) => text.replaceAll(FIRST_NAME, () => firstName)

/** What a phone shows. */
export const composeText = ({ title, body }: Draft, firstName: string) =>
  fillIn([title, body, STOP_LINE].join('\n'), firstName)

export const isTooLong = (channel: NotificationChannel, draft: Draft) =>
  channel === 'text' && composeText(draft, '').length > TEXT_MOST

interface Foot {
  unsubscribeUrl: string
  companyAddress: string
}

/** What a mail program shows; the foot says why it came, how to leave, and who sent it. */
export function composeMail({ title, body }: Draft, firstName: string, { unsubscribeUrl, companyAddress }: Foot) {
  const words = fillIn(body, firstName)
  const why = 'You get this because you have an account with us.'
  const address = companyAddress ? `\n${companyAddress}` : ''
  const foot = `<p style="color:#5b696d;font-size:12px">${why} <a href="${escapeHtml(unsubscribeUrl)}">Unsubscribe</a>${
    companyAddress ? `<br>${escapeHtml(companyAddress)}` : ''
  }</p>`
  return {
    subject: fillIn(title, firstName),
    text: `${words}\n\n-- \n${why}\nUnsubscribe: ${unsubscribeUrl}${address}`,
    html: asHtml(words).replace('</body>', (end) => foot + end),
  }
}
