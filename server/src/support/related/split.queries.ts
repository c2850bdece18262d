import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

export interface SplitMessage {
  id: number
  from_customer: boolean
  created_at: Date
}

/** The messages that a split moves, oldest first: one, or it and the later ones. */
export async function findSplit(
  db: Db,
  ticketId: number,
  { messageId, takes }: { messageId: number; takes: 'one' | 'rest' },
): Promise<SplitMessage[]> {
  const which = takes === 'one' ? sql`m.id = first.id` : sql`(m.created_at, m.id) >= (first.created_at, first.id)`
  const { rows } = await sql<SplitMessage>`
    select m.id, m.from_customer, m.created_at from ticket_messages first join ticket_messages m on m.ticket_id = first.ticket_id
    where first.id = ${messageId} and first.ticket_id = ${ticketId} and ${which} order by m.created_at, m.id`.execute(
    db,
  )
  return rows
}

// Since the first message of the customer that nobody answered. Programs and spam wait for nothing.
const waitingSince = (ticketId: RawBuilder<unknown>) => sql`(
  select min(m.created_at) from ticket_messages m
  where m.ticket_id = ${ticketId} and m.from_customer
    and not exists (select from ticket_emails e where e.message_id = m.id and (e.kind = 'auto_reply' or e.is_spam))
    and m.created_at > coalesce((select max(s.created_at) from ticket_messages s
      where s.ticket_id = ${ticketId} and not s.from_customer), '-infinity'))`

/** Moves messages into a new ticket of the same customer. Returns the ticket. */
export async function moveIntoNew(
  db: Db,
  ticketId: number,
  { messages, subject, workerId }: { messages: readonly SplitMessage[]; subject: string; workerId: number },
  now: Date,
): Promise<number> {
  const ids = messages.map(({ id }) => id)
  const openedAt = messages[0]?.created_at ?? now
  const { rows } = await sql<{ id: number }>`
    insert into tickets (customer_id, customer_email, subject, priority, assignee_id, created_by, created_at, updated_at, version)
    select customer_id, customer_email, ${subject}, priority, assignee_id, ${workerId}, ${openedAt}, ${now}, 1
    from tickets where id = ${ticketId} returning id`.execute(db)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('A ticket was not stored.')
  await sql`update ticket_messages set ticket_id = ${id}, origin_ticket_id = coalesce(origin_ticket_id, ${ticketId}), ticket_version = 1
    where id = any(${ids}::bigint[])`.execute(db)
  await sql`update tickets set message_count = ${ids.length}, waiting_since = ${waitingSince(sql`${id}::bigint`)} where id = ${id}`.execute(
    db,
  )
  await sql`update tickets set message_count = message_count - ${ids.length}, waiting_since = ${waitingSince(sql`${ticketId}::bigint`)},
      updated_at = ${now}, version = version + 1 where id = ${ticketId}`.execute(db)
  return id
}
