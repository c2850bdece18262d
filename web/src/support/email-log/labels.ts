import {
  type EmailDelivery,
  type EmailLog,
  type EmailType,
  ENCRYPTED_CONTENT,
} from '@limber/contract/support/email-log/email-log.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const typeLabels: Record<EmailType, string> = {
  ticket_confirmation: 'Ticket confirmation',
  ticket_reply: 'Ticket reply',
  verification: 'Verification',
  notification: 'Notification',
  booking: 'Booking',
  receipt: 'Receipt',
  outreach: 'Partner outreach',
  rating: 'Satisfaction',
}

export const deliveryLabels: Record<EmailDelivery, string> = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed' }

export const deliveryMeaning: Record<EmailDelivery, Meaning> = { waiting: 'amber', sent: 'plain', failed: 'red' }

/** What an email is, at the start of a sentence. */
export const typeSentences: Record<EmailType, string> = {
  ticket_confirmation: 'The confirmation of a ticket',
  ticket_reply: 'The reply to a ticket',
  verification: 'The message to verify an address',
  notification: 'The notification',
  booking: 'The message about a booking',
  receipt: 'The receipt',
  outreach: 'The message to a partner',
  rating: 'The question about satisfaction',
}

/** The text in the recipient column: never the encrypted address. */
export const recipientText = ({ iv_html_content }: Pick<EmailLog, 'iv_html_content'>) =>
  iv_html_content ? 'Encrypted. Reveal to read.' : 'Erased'

const PREVIEW = 100

/** The visible part of the content: the encryption notice, or the first 100 characters. */
export function previewOf({
  html_content,
  iv_html_content,
}: Pick<EmailLog, 'html_content' | 'iv_html_content'>): string {
  if (iv_html_content) return ENCRYPTED_CONTENT
  if (html_content === null) return 'Erased'
  const letters = [...html_content]
  return letters.length > PREVIEW ? `${letters.slice(0, PREVIEW).join('')}...` : html_content
}
