import { type EmailDelivery, type EmailLog, ENCRYPTED_CONTENT } from '@limber/contract/support/email-log/email-log.ts'
import type { EmailLogRow } from './email-log.queries.ts'

// Behind one byte of version and four that name the key.
const IV = { from: 5, to: 17 }

/** A mail whose delivery is no longer kept went out long ago. The list filters by the same reading. */
const deliveryOf = (state: string | null): EmailDelivery =>
  state === 'waiting' ? 'waiting' : state === null || state === 'sent' ? 'sent' : 'failed'

export const presentEmailLog = (row: EmailLogRow): EmailLog => ({
  id: row.id,
  from_address: row.from_address,
  to_address: row.to_sealed.toString('base64'),
  subject: row.subject,
  type: row.type,
  html_content: row.content_sealed && ENCRYPTED_CONTENT,
  iv_html_content: row.content_sealed?.subarray(IV.from, IV.to).toString('base64') ?? null,
  createdAt: row.created_at.toISOString(),
  delivery: deliveryOf(row.state),
})
