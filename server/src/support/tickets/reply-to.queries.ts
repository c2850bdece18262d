import { sql } from 'kysely'

/** The address that the customer of ticket `t` last wrote from. */
export const replyTo = sql<string>`coalesce((
  select sender from ticket_messages where ticket_id = t.id and sender is not null order by created_at desc, id desc limit 1),
  t.customer_email)`
