import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { findCustomerByEmail } from '../customers/customer-account.queries.ts'
import { keepPromises } from '../promises/keep-promises.ts'
import type { References } from './inbound.rules.ts'
import type { ParsedMail } from './parse-mail.ts'

/**
 * The ticket that a message replies to. The sender must be the ticket's customer, because a ticket number in a subject
 * is easy to forge, or that of a ticket that a worker merged into it, or have the same account. Merged tickets lead to
 * their target.
 */
export async function findRepliedTicket(
  db: Db,
  { tickets, messages, digests }: References,
  from: string,
): Promise<number | undefined> {
  if (tickets.length === 0 && messages.length === 0 && digests.length === 0) return undefined
  const account = await findCustomerByEmail(db, from)
  const { rows } = await sql<{ id: number }>`
    with recursive named as (
      select id from tickets where id = any(${tickets}::bigint[])
      union select ticket_id from ticket_messages where id = any(${messages}::bigint[])
      union select m.ticket_id from mailbox_mails e join ticket_messages m on m.id = e.message_id
        where e.digest = any(${digests}::bytea[])
    ), followed as (
      select t.id, t.merged_into_id from tickets t join named n on n.id = t.id
      union select t.id, t.merged_into_id from tickets t join followed f on t.id = f.merged_into_id
    ), sources as (
      select t.id as target, t.id, t.customer_email, t.customer_id from tickets t join followed f on f.id = t.id
        where f.merged_into_id is null
      union select s.target, t.id, t.customer_email, t.customer_id from tickets t join sources s on t.merged_into_id = s.id
    )
    select target as id from sources where customer_email = ${from} or customer_id = ${account?.id ?? null}::bigint order by target desc limit 1`.execute(
    db,
  )
  return rows[0]?.id
}

/** The ticket of a message that was received before. */
export async function findReceived(db: Db, key: string): Promise<{ ticket_id: number } | undefined> {
  return db.selectFrom('ticket_messages').select('ticket_id').where('inbound_key', '=', key).executeTakeFirst()
}

/** Opens a ticket for a customer's message and links the account with that address. */
export async function insertInboundTicket(db: Db, from: string, subject: string, now: Date): Promise<number> {
  const account = await findCustomerByEmail(db, from)
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into tickets (customer_id, customer_email, subject, created_at, updated_at, version)
      values (${account?.id ?? null}, ${from}, ${subject}, ${now}, ${now}, 0)
      returning id
    ), noted as (
      insert into ticket_events (ticket_id, kind, text, created_at)
      select id, 'opened', 'Opened by the customer', ${now} from made)
    select id from made`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A ticket was not stored.')
  return row.id
}

interface InboundMessage {
  ticketId: number
  content: string
  /** Where replies go; null when no person wrote it. */
  sender: string | null
  /** Null when another message has the same Message-ID. */
  key: string | null
  /** Starts no wait and reopens nothing. */
  isSilent?: boolean
  isClosing?: boolean
}

/** Adds a customer's message. It starts the wait unless one is running, and reopens a closed ticket. */
export async function insertInboundMessage(
  db: Db,
  { ticketId, content, sender, key, isSilent = false, isClosing = false }: InboundMessage,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with before as (select id, status from tickets where id = ${ticketId} for no key update
    ), touched as (
      update tickets t set updated_at = ${now}, version = version + 1, message_count = message_count + 1,
        waiting_since = case when ${isSilent}::boolean then t.waiting_since
          when b.status = 'closed' then ${now} else coalesce(t.waiting_since, ${now}) end,
        status = case when ${isClosing}::boolean then 'closed'
          when b.status = 'closed' and not ${isSilent}::boolean then 'open' else b.status end
      from before b where t.id = b.id returning t.id, t.version
    ), reopened as (
      insert into ticket_events (ticket_id, kind, text, created_at)
      select id, 'status', 'Reopened by the customer', ${now} from before
      where status = 'closed' and not ${isSilent}::boolean
    )
    insert into ticket_messages (ticket_id, from_customer, content, created_at, ticket_version, inbound_key, sender)
    select id, true, ${content}, ${now}, version, ${key}, ${sender} from touched returning id`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A message was not stored.')
  await keepPromises(db, [ticketId], now)
  return row.id
}

/** Takes an email of a mailbox; false when it was taken before. A concurrent taker of the same email waits. */
export async function takeMail(db: Db, mailboxId: number, digest: Buffer, now: Date): Promise<boolean> {
  const taken = await db
    .insertInto('mailbox_mails')
    .values({ mailbox_id: mailboxId, digest, received_at: now })
    .onConflict((clash) => clash.columns(['mailbox_id', 'digest']).doNothing())
    .returning('mailbox_id')
    .executeTakeFirst()
  return taken !== undefined
}

/** Whether an email of a mailbox was taken. */
export const hasMail = async (db: Db, mailboxId: number, digest: Buffer): Promise<boolean> =>
  (await db
    .selectFrom('mailbox_mails')
    .select('mailbox_id')
    .where('mailbox_id', '=', mailboxId)
    .where('digest', '=', digest)
    .executeTakeFirst()) !== undefined

export const linkMail = (db: Db, mailboxId: number, digest: Buffer, messageId: number) =>
  db
    .updateTable('mailbox_mails')
    .set({ message_id: messageId })
    .where('mailbox_id', '=', mailboxId)
    .where('digest', '=', digest)
    .execute()

/** Replies to the ticket leave from this mailbox. */
export const linkTicket = (db: Db, ticketId: number, mailboxId: number) =>
  db.insertInto('ticket_mailboxes').values({ ticket_id: ticketId, mailbox_id: mailboxId }).execute()

/** The same for a message that was forwarded from a mailbox. An unknown address changes nothing. */
export const linkForwarded = (db: Db, ticketId: number, address: string) =>
  sql`insert into ticket_mailboxes (ticket_id, mailbox_id)
    select ${ticketId}, id from mailboxes where address = ${address} and is_enabled for key share`.execute(db)

export const findTicketMailbox = async (db: Db, ticketId: number): Promise<number | undefined> =>
  (await db.selectFrom('ticket_mailboxes').select('mailbox_id').where('ticket_id', '=', ticketId).executeTakeFirst())
    ?.mailbox_id

export const insertTicketEmail = (
  db: Db,
  messageId: number,
  {
    kind,
    isSpam,
    checks,
    quoted,
    html,
    hasText,
  }: Pick<ParsedMail, 'kind' | 'isSpam' | 'checks' | 'quoted' | 'html' | 'hasText'>,
) =>
  db
    .insertInto('ticket_emails')
    .values({
      message_id: messageId,
      kind,
      is_spam: isSpam,
      ...checks,
      quoted,
      html: html?.html ?? null,
      has_text: hasText,
      has_remote: html?.hasRemote ?? false,
    })
    .execute()

/** Whether no message has this Message-ID yet. The same email may come through two mailboxes. */
export const isFreeKey = async (db: Db, key: string): Promise<boolean> => (await findReceived(db, key)) === undefined

/** Whether the address has an account or a ticket. */
export async function isKnownSender(db: Db, from: string): Promise<boolean> {
  const { rows } = await sql<{ is_known: boolean }>`
    select exists (select from tickets where customer_email = ${from})
      or exists (select from customers where email = ${from}) as is_known`.execute(db)
  return rows[0]?.is_known ?? false
}

/** Whether the address opened another ticket after this moment. */
export async function hasOtherTicketSince(
  db: Db,
  { from, ticketId, since }: { from: string; ticketId: number; since: Date },
): Promise<boolean> {
  const other = await db
    .selectFrom('tickets')
    .select('id')
    .where('customer_email', '=', from)
    .where('created_at', '>=', since)
    .where('id', '<>', ticketId)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** The ticket whose email came back. Merged tickets lead to their target. */
export async function findBouncedTicket(
  db: Db,
  { tickets, messages }: References,
): Promise<{ id: number; customer_email: string } | undefined> {
  const { rows } = await sql<{ id: number; customer_email: string }>`
    with recursive followed as (
      select t.id, t.merged_into_id, t.customer_email from tickets t
      where t.id = any(${tickets}::bigint[]) or t.id in (
        select ticket_id from ticket_messages where id = any(${messages}::bigint[]) and not from_customer)
      union select t.id, t.merged_into_id, t.customer_email from tickets t join followed f on t.id = f.merged_into_id
    )
    select id, customer_email from followed where merged_into_id is null order by id desc limit 1`.execute(db)
  return rows[0]
}

/** Whom one of our emails went to, sealed as in the email log. */
export async function findRecipient(db: Db, { tickets, messages }: References): Promise<Buffer | undefined> {
  const keys = [...tickets.map((id) => `ticket-opened-${id}`), ...messages.map((id) => `ticket-message-${id}`)]
  const { rows } = await sql<{ to_sealed: Buffer }>`
    select to_sealed from email_logs where outbox_key = any(${keys}::text[]) limit 1`.execute(db)
  return rows[0]?.to_sealed
}
