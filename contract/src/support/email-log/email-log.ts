import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Email, Id, IdText, Moment, Text } from '#kit/values.ts'

/** Why an email to a customer or a partner was sent. */
export const EmailType = z.enum([
  'ticket_confirmation',
  'ticket_reply',
  'verification',
  'notification',
  'booking',
  'receipt',
  'outreach',
  'rating',
])
export type EmailType = z.infer<typeof EmailType>

export const EmailDelivery = z.enum(['waiting', 'sent', 'failed'])
export type EmailDelivery = z.infer<typeof EmailDelivery>

/** Shown in place of encrypted content. */
export const ENCRYPTED_CONTENT = '[Encrypted Content]'

export const EmailLog = z.object({
  id: Id,
  from_address: z.string(),
  /** Encrypted, as base64. */
  to_address: z.string(),
  subject: z.string(),
  type: EmailType,
  /** `[Encrypted Content]`, or null when the content was erased. */
  html_content: z.string().nullable(),
  /** The initialization vector of the encrypted content; null when the content was erased. */
  iv_html_content: z.string().nullable(),
  createdAt: Moment,
  delivery: EmailDelivery,
})
export type EmailLog = z.infer<typeof EmailLog>

export const listEmailLogs = defineCall({
  method: 'GET',
  path: '/api/support/email-logs',
  summary: 'Emails to customers and partners, newest first; recipients and contents stay encrypted',
  permission: 'support.tab',
  query: z.strictObject({
    ...pageQuery({ limit: 10 }),
    type: EmailType.or(z.literal('')).default(''),
    /** A complete address: only its hash is compared, so a part of it finds nothing. */
    recipient: Email.or(z.literal('')).default(''),
    /** First and last day in the company's time zone. */
    from: Day.optional(),
    to: Day.optional(),
    delivery: EmailDelivery.or(z.literal('')).default(''),
  }),
  reply: z.object({ data: z.array(EmailLog), pagination: Pagination }),
})

export const exportEmailLogs = exportCall(listEmailLogs, 'email-log')

export const revealEmail = defineCall({
  method: 'POST',
  path: '/api/support/email-logs/:id/reveal',
  summary: 'Reveal recipient and content of one email; requires a reason and a passkey and is audited',
  permission: 'support.tab',
  params: z.strictObject({ id: IdText }),
  stepUp: true,
  body: z.strictObject({ reason: Text(500) }),
  reply: z.object({ id: Id, to_address: z.string(), text: z.string(), html: z.string().nullable() }),
  refusals: {
    not_found: [404, 'This email does not exist.'],
    erased: [409, 'The content of this email was erased together with the customer.'],
    no_key: [409, 'The key for this content is missing. Set SECRET_KEYS_OLD to read it.'],
  },
})
