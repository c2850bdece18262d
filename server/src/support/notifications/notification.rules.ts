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

/** An audience as text, with its zone and tier. */
export const audienceText = (audience: Audience, zone: string | undefined) =>
  [
    audienceWords[audience.kind],
    ...(zone ? [`in ${zone}`] : []),
    ...(audience.valueTier ? [`of tier ${audience.valueTier}`] : []),
  ].join(' ')

/** When a notification is sent: "now" means after the undo period. */
export function decideSendAt(wanted: string | null | undefined, now: Date) {
  const soonest = new Date(now.getTime() + UNDO_SECONDS * SECOND)
  if (!wanted) return { sendAt: soonest, isForLater: false }
  const at = new Date(wanted)
  if (at <= now) return { refusal: 'past' as const }
  if (at.getTime() > now.getTime() + FARTHEST) return { refusal: 'too_far' as const }
  return { sendAt: at < soonest ? soonest : at, isForLater: true }
}

/** Whether the audience has changed too much since the preview. A few people more or less are normal. */
export const hasMoved = (promised: number | undefined, people: number) =>
  promised !== undefined && Math.abs(people - promised) > Math.max(5, promised / 10)

/** Why a notification was not sent whose audience grew beyond the limit without a passkey. */
export const withoutPasskey = (people: number) =>
  `It would have gone to ${people} people. More than ${PASSKEY_ABOVE} need a passkey, and it was made without one.`

interface Draft {
  title: string
  body: string
}

const fillIn = (text: string, firstName: string) => text.replaceAll(FIRST_NAME, () => firstName)

/** The body of a text message. */
export const composeText = ({ title, body }: Draft, firstName: string) =>
  fillIn([title, body, STOP_LINE].join('\n'), firstName)

export const isTooLong = (channel: NotificationChannel, draft: Draft) =>
  channel === 'text' && composeText(draft, '').length > TEXT_MOST

interface Foot {
  unsubscribeUrl: string
  companyAddress: string
}

/** The email; its footer says why it was sent, how to unsubscribe, and who sent it. */
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
