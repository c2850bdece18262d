import { companyZone } from '@limber/contract/kit/company.ts'
import type { EmailDelivery, EmailType } from '@limber/contract/support/email-log/email-log.ts'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import { countUpTo } from '#platform/db/count-up-to.ts'
import type { Db, Row, Tables } from '#platform/db/db.ts'

export const insertEmailLogs = (db: Db, rows: readonly Insertable<Tables['email_logs']>[]) =>
  db.insertInto('email_logs').values(rows).execute()

export interface EmailLogRow extends Omit<Row<'email_logs'>, 'customer_id' | 'to_hash' | 'key_id' | 'outbox_key'> {
  state: string | null
}

export interface EmailFilter {
  type: EmailType | ''
  recipientHash: string | undefined
  from: string | undefined
  to: string | undefined
  delivery: EmailDelivery | ''
}

/** Few emails are unsent, so these are found from the outbox. An email without an outbox row was sent long ago. */
const byDelivery: Record<EmailDelivery, RawBuilder<unknown>> = {
  waiting: sql`outbox_key in (select key from outbox where state = 'waiting')`,
  failed: sql`outbox_key in (select key from outbox where state in ('dead', 'discarded'))`,
  sent: sql`not exists (select from outbox where key = outbox_key and state <> 'sent')`,
}

/** Start of a day in the company's time zone, `offsetDays` days on. */
const dayStart = (day: string, offsetDays: number) =>
  sql`((${day}::date + ${offsetDays}::int)::timestamp at time zone ${companyZone()})`

const conditions = ({ type, recipientHash, from, to, delivery }: EmailFilter) =>
  sql.join(
    [
      sql`true`,
      ...(type ? [sql`type = ${type}`] : []),
      ...(recipientHash === undefined ? [] : [sql`to_hash = ${recipientHash}`]),
      ...(from === undefined ? [] : [sql`created_at >= ${dayStart(from, 0)}`]),
      ...(to === undefined ? [] : [sql`created_at < ${dayStart(to, 1)}`]),
      ...(delivery ? [byDelivery[delivery]] : []),
    ],
    sql` and `,
  )

const columns = sql`l.id, l.from_address, l.to_sealed, l.subject, l.type, substring(l.content_sealed from 1 for 17) as content_sealed,
  l.created_at, o.state`

/** The next emails before an id, newest first. */
export async function findEmailLogsBefore(db: Db, filter: EmailFilter, before: number | undefined, limit: number) {
  const rest = before === undefined ? sql`` : sql`and id < ${before}`
  const { rows } = await sql<EmailLogRow>`
    select ${columns}
    from (select * from email_logs where ${conditions(filter)} ${rest} order by id desc limit ${limit}) l
    left join outbox o on o.key = l.outbox_key
    order by l.id desc`.execute(db)
  return rows
}

/** One page and the total, counted up to a limit. Of the content it reads only the head with the initialization vector. */
export async function findEmailLogs(
  db: Db,
  { limit, offset, ...filter }: EmailFilter & { limit: number; offset: number },
) {
  const where = conditions(filter)
  const { rows } = await sql<{ total: number; id: number | null } & EmailLogRow>`
    select t.total, ${columns}
    from (select ${countUpTo(sql`select from email_logs where ${where}`)} as total) t
    left join (select * from email_logs where ${where} order by created_at desc, id desc limit ${limit} offset ${offset}) l on true
    left join outbox o on o.key = l.outbox_key
    order by l.created_at desc, l.id desc`.execute(db)
  return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.id !== null) }
}

export const findEmailLog = (db: Db, id: number) =>
  db
    .selectFrom('email_logs as e')
    .leftJoin('customers as c', 'c.id', 'e.customer_id')
    .select(['e.id', 'e.to_sealed', 'e.content_sealed', 'c.first_name', 'c.last_name', 'c.phone'])
    .where('e.id', '=', id)
    .executeTakeFirst()

/** The next emails sealed with a different key. */
export const findSealedWithOtherKeys = (db: Db, keyId: string, after: number, limit: number) =>
  db
    .selectFrom('email_logs')
    .select(['id', 'to_sealed', 'content_sealed'])
    .where('key_id', '<>', keyId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const saveSealed = (
  db: Db,
  id: number,
  sealed: { to_sealed: Buffer; to_hash: string; content_sealed: Buffer | null; key_id: string },
) => db.updateTable('email_logs').set(sealed).where('id', '=', id).execute()
