import { type EmailDelivery, type EmailLog, ENCRYPTED_CONTENT } from '@limber/contract/support/email-log/email-log.ts'
import type { EmailLogRow } from './email-log.queries.ts'

// After one version byte and four bytes of key id.
const IV = { from: 5, to: 17 }

/** An email without an outbox row was sent long ago. The list filters by the same rule. */
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
