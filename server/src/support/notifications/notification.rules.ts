import {
  type Audience,
  audienceLabels,
  FIRST_NAME,
  type NotificationChannel,
  PASSKEY_ABOVE,
  UNDO_SECONDS,
} from '@limber/contract/support/notifications/notification.ts'
import { type BulkFooter, composeBulk } from '../inbox/email-html.rules.ts'

const SECOND = 1_000
const DAY = 86_400_000
const MAX_SCHEDULE_AHEAD = 90 * DAY
const MAX_LENGTH = 640
const STOP_LINE = 'Reply STOP to opt out.'

/** An audience as text, with its zone and tier. */
export const audienceText = (audience: Audience, zone: string | undefined) =>
  [
    audienceLabels[audience.kind],
    ...(zone ? [`in ${zone}`] : []),
    ...(audience.valueTier ? [`in the ${audience.valueTier} tier`] : []),
  ].join(' ')

/** When a notification is sent: "now" means after the undo period. */
export function decideSendAt(requestedAt: string | null | undefined, now: Date) {
  const earliest = new Date(now.getTime() + UNDO_SECONDS * SECOND)
  if (!requestedAt) return { sendAt: earliest, isForLater: false }
  const at = new Date(requestedAt)
  if (at <= now) return { refusal: 'past' as const }
  if (at.getTime() > now.getTime() + MAX_SCHEDULE_AHEAD) return { refusal: 'too_far' as const }
  return { sendAt: at < earliest ? earliest : at, isForLater: true }
}

/** Whether the audience has changed too much since the preview. A few people more or less are normal. */
export const hasAudienceChanged = (expected: number | undefined, people: number) =>
  expected !== undefined && Math.abs(people - expected) > Math.max(5, expected / 10)

/** Why a notification was not sent whose audience grew beyond the limit without a passkey. */
export const missingPasskeyReason = (people: number) =>
  `The audience grew to ${people} people. More than ${PASSKEY_ABOVE} require a passkey, and it was created without one.`

interface Draft {
  title: string
  body: string
}

const fillPlaceholders = (text: string, firstName: string) => text.replaceAll(FIRST_NAME, () => firstName)

/** The body of a text message. */
export const composeText = ({ title, body }: Draft, firstName: string) =>
  fillPlaceholders([title, body, STOP_LINE].join('\n'), firstName)

export const isTooLong = (channel: NotificationChannel, draft: Draft) =>
  channel === 'text' && composeText(draft, '').length > MAX_LENGTH

/** The email as text and HTML. */
export const composeEmail = ({ title, body }: Draft, firstName: string, footer: BulkFooter) => ({
  subject: fillPlaceholders(title, firstName),
  ...composeBulk(
    {
      body: fillPlaceholders(body, firstName),
      why: "You're receiving this email because you have an account with us.",
    },
    footer,
  ),
})
