import type { NotificationChannel } from '@limber/contract/support/notifications/notification.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { isSuppressedSql } from '#platform/mail/suppressions.ts'
import { addressSql } from './audience.queries.ts'

export interface Recipient {
  customer_id: number
  outbox_key: string
  first_name: string
  address: string | null
  /** Opted out, blocked or erased since the recipients were stored. */
  is_excluded: boolean
}

/** Locks the next waiting recipients; concurrent senders get different ones. */
export async function lockWaitingRecipients(db: Db, id: number, channel: NotificationChannel, limit: number) {
  const address = addressSql(channel)
  const { rows } = await sql<Recipient>`
    select r.customer_id, r.outbox_key, c.first_name, ${address} as address,
      c.blocked_at is not null or ${address} is null or ${isSuppressedSql(channel, address)} as is_excluded
    from notification_recipients r join customers c on c.id = r.customer_id
    where r.notification_id = ${id} and r.state = 'waiting'
    order by r.customer_id limit ${limit} for update of r skip locked`.execute(db)
  return rows
}

export const saveRecipientStates = (db: Db, id: number, recipients: readonly Recipient[]) =>
  sql`update notification_recipients r set state = case when v.is_excluded then 'opted_out' else 'posted' end
    from jsonb_to_recordset(${JSON.stringify(recipients.map(({ customer_id, is_excluded }) => ({ customer_id, is_excluded })))}::jsonb)
      as v(customer_id bigint, is_excluded boolean)
    where r.notification_id = ${id} and r.customer_id = v.customer_id`.execute(db)
