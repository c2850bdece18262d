import { type RawBuilder, sql } from 'kysely'
import type { Erased } from '../customer-hooks.ts'
import type { Db } from '../db/db.ts'
import { isFree } from '../jobs/lease.ts'
import { OUTBOX_CHANNEL } from '../live/notify.ts'

/** Columns for a retry: the message counts as new. */
const forRetry = (now: Date, workerId: number) => sql`
  state = 'waiting', next_try_at = ${now}, tries_before = tries, waits = 0, waiting_since = null,
  retried_at = ${now}, retried_by = ${workerId}`

/** Wakes the couriers after the commit. */
export const wakeCouriers = (db: Db) => sql`select pg_notify(${OUTBOX_CHANNEL}, '')`.execute(db)

/** Retries a waiting or failed message now. False when it is being delivered, was sent, or does not exist. */
export async function retryByKey(db: Db, key: string, workerId: number, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update outbox set ${forRetry(now, workerId)}
    where key = ${key} and (state = 'dead' or (state = 'waiting' and ${isFree}))`.execute(db)
  if (!numAffectedRows) return false
  await wakeCouriers(db)
  return true
}

export async function retry(db: Db, id: number, workerId: number, now: Date): Promise<void> {
  await sql`update outbox set ${forRetry(now, workerId)} where id = ${id}`.execute(db)
}

/** Retries all failed messages, of one kind or all kinds. */
export async function retryAllDead(db: Db, kind: string | undefined, workerId: number, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update outbox set ${forRetry(now, workerId)}
    where state = 'dead' and ${kind ? sql`channel = ${kind}` : sql`true`}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export async function discard(db: Db, id: number, by: { workerId: number; reason: string }, now: Date): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ state: 'discarded', discarded_at: now, discarded_by: by.workerId, discard_reason: by.reason })
    .where('id', '=', id)
    .execute()
}

const BATCH = 5_000

/** Deletes sent, discarded and inbound messages from before a moment. Waiting and failed messages stay. */
export async function deleteOldMessages(db: Db, before: Date): Promise<number> {
  let total = 0
  const forget = async (statement: RawBuilder<unknown>) => {
    for (let gone = BATCH; gone === BATCH; total += gone)
      gone = Number((await statement.execute(db)).numAffectedRows ?? 0)
  }
  await forget(sql`delete from outbox where id in (
    select id from outbox where state in ('sent', 'discarded') and created_at < ${before} limit ${BATCH})`)
  await forget(sql`delete from inbound_events where id in (
    select id from inbound_events where received_at < ${before} limit ${BATCH})`)
  return total
}

/** Clears messages by key for erasure. Waiting and failed ones are also discarded. */
export function eraseMessages(keys: RawBuilder<unknown>, { emptied, workerId, now }: Erased) {
  const isUnsent = sql`state in ('waiting', 'dead')`
  return sql`
    update outbox set payload = ${emptied}, state = case when ${isUnsent} then 'discarded' else state end,
      discarded_at = case when ${isUnsent} then ${now}::timestamptz else discarded_at end,
      discarded_by = case when ${isUnsent} then ${workerId}::bigint else discarded_by end,
      discard_reason = case when ${isUnsent} then 'The customer was erased' else discard_reason end
    where key in (${keys})`
}

/** Clears inbound events of one kind by key for erasure. */
export const eraseInbound = (kind: string, keys: RawBuilder<unknown>) => sql`
  update inbound_events set key = 'erased-' || id, fields = '[]', address = null, request_id = null
  where kind = ${kind} and key in (${keys})`

/** Deletes emails from the local mailbox, by address or by outbox key. */
export const eraseMailbox = (emails: readonly string[], keys: RawBuilder<unknown>) => sql`
  delete from mailbox where lower(to_address) = any(${emails}::text[])
    or 'mailbox-' || id in (select outside_id from outbox where key in (${keys}))`
