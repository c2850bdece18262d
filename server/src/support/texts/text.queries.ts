import type { TextState } from '@limber/contract/support/texts/message.ts'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Db, Row, Tables } from '#platform/db/db.ts'
import type { ProviderText } from '#platform/outbox/texts.ts'
import type { Cursor } from './page-token.ts'
import { earlierStates } from './text.rules.ts'

export interface TextRow extends Omit<Row<'texts'>, 'number' | 'worker_id' | 'outbox_key' | 'tried_at'> {
  customer_id: number | null
  customer_name: string | null
}

// A message that failed in the outbox has failed, whatever its own row says.
const columns = sql`t.id, t.sid, t.is_outgoing, t.from_number, t.to_number, t.body, t.media, t.sent_at, c.id as customer_id,
  c.name as customer_name,
  case when t.state = 'waiting' and o.state in ('dead', 'discarded') then 'failed' else t.state end as state,
  coalesce(t.error, case when o.state in ('dead', 'discarded') then o.last_error end) as error`
// When several accounts share a number, the one used last is shown.
const joins = sql`left join outbox o on o.key = t.outbox_key
  left join lateral (select id, first_name || ' ' || last_name as name from customers
    where phone = t.number and erased_at is null and merged_into_id is null order by last_login_at desc nulls last, id limit 1) c on true`

/** A page next to a cursor, newest first; it reads one extra row to see whether there are more. */
export async function findTexts(
  db: Db,
  numbers: readonly string[] | undefined,
  cursor: Cursor | undefined,
  limit: number,
) {
  const isNewer = cursor?.way === 'newer'
  const pageCondition =
    cursor === undefined
      ? sql`true`
      : isNewer
        ? sql`(sent_at, id) > (${cursor.at}, ${cursor.id})`
        : sql`(sent_at, id) < (${cursor.at}, ${cursor.id})`
  const order = isNewer ? sql`sent_at, id` : sql`sent_at desc, id desc`
  const page = (where: RawBuilder<unknown>) =>
    sql`select * from texts where ${where} and ${pageCondition} order by ${order} limit ${limit + 1}`
  // One query per number: with several numbers at once, the planner scans the messages of everyone.
  const found = numbers
    ? sql`select t.* from unnest(${numbers}::text[]) n cross join lateral (${page(sql`number = n`)}) t order by ${order} limit ${limit + 1}`
    : page(sql`true`)
  const { rows } = await sql<TextRow>`
    select ${columns} from (${found}) t ${joins}
    order by ${isNewer ? sql`t.sent_at, t.id` : sql`t.sent_at desc, t.id desc`}`.execute(db)
  return rows
}

export async function findText(db: Db, id: number): Promise<TextRow | undefined> {
  const { rows } = await sql<TextRow>`select ${columns} from texts t ${joins} where t.id = ${id}`.execute(db)
  return rows[0]
}

/** The sender of the newest outgoing message, so that the history stays readable after the service is disconnected. */
export async function findLastOwnNumber(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('texts')
    .select('from_number')
    .where('is_outgoing', '=', true)
    .orderBy('sent_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.from_number
}

/** A customer with all their numbers, including those of merged accounts. */
export async function findCustomerNumbers(db: Db, customerId: number) {
  const { rows } = await sql<{ name: string; phone: string | null; numbers: string[] }>`
    select first_name || ' ' || last_name as name, phone,
      array(select distinct phone from customers where (id = c.id or merged_into_id = c.id) and phone is not null) as numbers
    from customers c where id = ${customerId}`.execute(db)
  return rows[0]
}

/** Whether a customer has this number or someone wrote from it. */
export async function isKnownNumber(db: Db, number: string): Promise<boolean> {
  const { rows } = await sql<{ is_known: boolean }>`
    select exists (select from customers where phone = ${number} and erased_at is null)
      or exists (select from texts where number = ${number} and not is_outgoing) as is_known`.execute(db)
  return rows[0]?.is_known ?? false
}

/** Stores an incoming message; returns whether it is new. */
export async function insertReceived(db: Db, text: Insertable<Tables['texts']>): Promise<boolean> {
  const row = await db
    .insertInto('texts')
    .values(text)
    .onConflict((clash) => clash.column('sid').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

type Outgoing = Pick<Insertable<Tables['texts']>, 'from_number' | 'to_number' | 'body' | 'worker_id' | 'outbox_key'>

/** Stores outgoing messages. */
export const insertOutgoing = (db: Db, texts: readonly Outgoing[], now: Date) =>
  db
    .insertInto('texts')
    .values(
      texts.map((text) => ({ ...text, sid: null, is_outgoing: true, state: 'waiting', error: null, sent_at: now })),
    )
    .returning('id')
    .execute()

interface Synced {
  added: number
  changed: number
  /** The new incoming messages. */
  received: { from_number: string; body: string }[]
}

/** Stores new messages and new delivery states from the service. Erased messages stay erased. */
export async function saveSynced(db: Db, texts: readonly ProviderText[]): Promise<Synced> {
  const rows = texts.map(({ sid, isOutgoing, from, to, body, media, state, error, sentAt }) => ({
    sid,
    is_outgoing: isOutgoing,
    from_number: from.slice(0, 40),
    to_number: to.slice(0, 40),
    body: body.replaceAll('\0', '').slice(0, 5_000),
    media,
    state,
    error,
    sent_at: sentAt,
  }))
  const { rows: saved } = await sql<{ is_new: boolean; is_outgoing: boolean; from_number: string; body: string }>`
    insert into texts (sid, is_outgoing, from_number, to_number, body, media, state, error, sent_at)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      sid text, is_outgoing boolean, from_number text, to_number text, body text, media int, state text, error text, sent_at timestamptz)
    on conflict (sid) do update set state = excluded.state, error = excluded.error
    where array_position(${order}, excluded.state) > array_position(${order}, texts.state)
    returning xmax = 0 as is_new, is_outgoing, from_number, body`.execute(db)
  const added = saved.filter((row) => row.is_new)
  return {
    added: added.length,
    changed: saved.length - added.length,
    received: added.filter((row) => !row.is_outgoing),
  }
}

const MAX_CONSENT_LENGTH = 40

/** Short messages from these numbers, newest first, which include any opt-out or opt-in. */
export const findShortMessages = (db: Db, numbers: readonly string[]) =>
  db
    .selectFrom('texts')
    .select(['number', 'body', 'sent_at'])
    .where('number', 'in', numbers)
    .where('is_outgoing', '=', false)
    .where(sql<boolean>`length(body) <= ${sql.lit(MAX_CONSENT_LENGTH)}`)
    .orderBy('sent_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

const order = sql`array['waiting', 'sent', 'failed', 'delivered']`

/** Stores a delivery state by sid; reports that arrive out of order are ignored. */
export async function saveDeliveryState(db: Db, sid: string, state: TextState, error: string | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('texts')
    .set({ state, error })
    .where('sid', '=', sid)
    .where('state', 'in', earlierStates(state))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Records the start of a delivery attempt; returns when the first attempt started. */
export async function startDelivery(db: Db, key: string, now: Date) {
  const { rows } = await sql<{ sid: string | null; to_number: string; body: string; tried_before: Date | null }>`
    with locked as (select id, tried_at from texts where outbox_key = ${key} for update)
    update texts t set tried_at = coalesce(t.tried_at, ${now}) from locked where t.id = locked.id
    returning t.sid, t.to_number, t.body, locked.tried_at as tried_before`.execute(db)
  return rows[0]
}

/** Which of these sids already belong to our outgoing messages. */
export async function findOwnSids(db: Db, sids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ sid: string }>`
    select sid from texts where sid = any(${sids}) and outbox_key is not null`.execute(db)
  return new Set(rows.map(({ sid }) => sid))
}

/** Sets the service's sid on our message; a copy that a sync stored in between is deleted. */
export async function setSid(db: Db, key: string, sid: string): Promise<void> {
  await sql`delete from texts where sid = ${sid} and outbox_key is null
    and exists (select from texts where outbox_key = ${key} and sid is null)`.execute(db)
  await db.updateTable('texts').set({ sid }).where('outbox_key', '=', key).where('sid', 'is', null).execute()
}
