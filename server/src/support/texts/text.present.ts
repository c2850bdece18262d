import type { TextMessage } from '@limber/contract/support/texts/message.ts'
import type { TextRow } from './text.queries.ts'

export const presentText = (row: TextRow, showsCustomers: boolean): TextMessage => ({
  id: row.id,
  sid: row.sid,
  from: row.from_number,
  to: row.to_number,
  body: row.body,
  media: row.media,
  dateSent: row.sent_at.toISOString(),
  isOutgoing: row.is_outgoing,
  state: row.state,
  error: row.error,
  customer: showsCustomers && row.customer_id !== null ? { id: row.customer_id, name: row.customer_name ?? '' } : null,
})
