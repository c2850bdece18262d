import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

/** Who wrote message `m` of ticket `t`; another address than the ticket's after a merge. */
const sender = sql`coalesce(m.sender, t.customer_email)`

export interface MessageHtml {
  html: string
  shows_remote: boolean
  images: { id: number; content_id: string }[]
}

/** The HTML of an email, the images that it can show, and whether it may load others. */
export async function findMessageHtml(db: Db, messageId: number): Promise<MessageHtml | undefined> {
  const { rows } = await sql<MessageHtml>`
    select e.html, exists (select from image_senders s where s.address = ${sender}) as shows_remote,
      (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'content_id', f.content_id)), '[]') from ticket_files f
        where f.message_id = m.id and f.content_id is not null and f.width is not null and f.state = 'ready') as images
    from ticket_emails e join ticket_messages m on m.id = e.message_id join tickets t on t.id = m.ticket_id
    where e.message_id = ${messageId} and e.html is not null`.execute(db)
  return rows[0]
}

export async function findSender(db: Db, ticketId: number, messageId: number): Promise<string | undefined> {
  const { rows } = await sql<{ address: string }>`
    select ${sender} as address from ticket_messages m join tickets t on t.id = m.ticket_id
    where m.id = ${messageId} and m.ticket_id = ${ticketId} and m.from_customer`.execute(db)
  return rows[0]?.address
}

export const allowSender = (db: Db, address: string, workerId: number, now: Date) =>
  db
    .insertInto('image_senders')
    .values({ address, worker_id: workerId, created_at: now })
    .onConflict((clash) => clash.column('address').doNothing())
    .execute()

export const blockSender = (db: Db, address: string) =>
  db.deleteFrom('image_senders').where('address', '=', address).execute()
