import type {
  Audience,
  NotificationChannel,
  NotificationStatus,
} from '@limber/contract/support/notifications/notification.ts'
import { type Insertable, sql } from 'kysely'
import type { Db, Row, Tables } from '#platform/db/db.ts'
import { OPTED_OUT } from '#platform/mail/suppressions.ts'

export type Counts = Pick<Row<'notifications'>, 'people' | 'waiting' | 'sent' | 'delivered' | 'failed' | 'opted_out'>

export interface NotificationRow extends Counts {
  id: number
  title: string
  body: string
  audience: Audience
  audience_text: string
  channel: NotificationChannel
  status: NotificationStatus
  send_at: Date
  created_at: Date
  created_by: string
  ended_at: Date | null
  stopped_by: string | null
}

/** The recipients of notification `n`, with their deliveries. */
const recipients = sql`notification_recipients r
    left join outbox o on o.key = r.outbox_key
    left join texts x on x.outbox_key = r.outbox_key`
const delivery = sql`case
      when r.state = 'opted_out' or (o.state = 'dead' and o.last_error = ${OPTED_OUT}) then 'out'
      when r.state = 'waiting' or o.state = 'waiting' then 'waiting'
      when o.state in ('dead', 'discarded') or x.state = 'failed' then 'failed'
      when x.state = 'delivered' then 'delivered'
      else 'sent' end`

// While it is sending, the counts come from the outbox; afterwards they are stored.
const countsQuery = sql`
  select count(*) filter (where delivery <> 'out') as people, count(*) filter (where delivery = 'waiting') as waiting,
    count(*) filter (where delivery in ('sent', 'delivered')) as sent, count(*) filter (where delivery = 'delivered') as delivered,
    count(*) filter (where delivery = 'failed') as failed, count(*) filter (where delivery = 'out') as opted_out
  from (select ${delivery} as delivery from ${recipients} where r.notification_id = n.id) deliveries`

const countColumn = (name: keyof Counts) =>
  sql`coalesce(k.${sql.ref(name)}, n.${sql.ref(name)})::int as ${sql.ref(name)}`
const columns = sql`n.id, n.title, n.body, n.audience, n.audience_text, n.channel, n.status, n.send_at, n.created_at, n.ended_at,
  w.name as created_by, s.name as stopped_by, ${countColumn('people')}, ${countColumn('waiting')}, ${countColumn('sent')}, ${countColumn('delivered')},
  ${countColumn('failed')}, ${countColumn('opted_out')}`
const joins = sql`join workers w on w.id = n.created_by left join workers s on s.id = n.stopped_by
  left join lateral (${countsQuery}) k on n.status = 'sending'`

interface Page {
  status: NotificationStatus | ''
  channel: NotificationChannel | ''
  limit: number
  offset: number
}

export async function findNotifications(db: Db, { status, channel, limit, offset }: Page) {
  const where = sql.join(
    [sql`true`, ...(status ? [sql`status = ${status}`] : []), ...(channel ? [sql`channel = ${channel}`] : [])],
    sql` and `,
  )
  const { rows } = await sql<{ total: number; id: number | null } & NotificationRow>`
    with matches as materialized (select id, created_at from notifications where ${where}),
    page as (select id, row_number() over (order by created_at desc, id desc) as place from matches order by place limit ${limit} offset ${offset})
    select t.total, ${columns}
    from (select count(*)::int as total from matches) t
    left join (page join notifications n on n.id = page.id ${joins}) on true
    order by page.place`.execute(db)
  return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.id !== null) }
}

export async function findNotification(db: Db, id: number): Promise<NotificationRow | undefined> {
  const { rows } =
    await sql<NotificationRow>`select ${columns} from notifications n ${joins} where n.id = ${id}`.execute(db)
  return rows[0]
}

const MAX_REASONS = 5

/** Failure reasons from the deliveries. Anyone still waiting at the end had no service to carry the message. */
export async function findFailures(db: Db, id: number) {
  const { rows } = await sql<{ reason: string; people: number }>`
    select end_reason as reason, people from notifications where id = ${id} and end_reason is not null
    union all
    (select f.reason, count(*)::int as people
    from notifications n
    cross join lateral (select ${delivery} as delivery, case
        when r.state = 'waiting' or o.state = 'waiting' then 'The service was no longer connected.'
        when o.state = 'discarded' then 'A worker discarded the delivery.'
        when o.state = 'dead' then coalesce(o.last_error, 'The delivery failed.')
        else coalesce(x.error, 'The carrier could not deliver it.') end as reason
      from ${recipients} where r.notification_id = n.id) f
    where n.id = ${id} and (f.delivery = 'failed' or (f.delivery = 'waiting' and n.status in ('sent', 'failed')))
    group by f.reason order by people desc, f.reason limit ${MAX_REASONS})`.execute(db)
  return rows
}

type NewNotification = Omit<Insertable<Tables['notifications']>, 'status' | 'audience'> & { audience: Audience }

export const insertNotification = (db: Db, { audience, ...notification }: NewNotification) =>
  db
    .insertInto('notifications')
    .values({ ...notification, audience: JSON.stringify(audience), status: 'scheduled' })
    .returning('id')
    .executeTakeFirstOrThrow()

/** Cancels a notification that has not started; of this and the sender, the first one wins. */
export const cancelNotification = (db: Db, id: number, workerId: number, now: Date) =>
  db
    .updateTable('notifications')
    .set({
      status: sql`case when is_for_later then 'cancelled' else 'undone' end`,
      stopped_by: workerId,
      ended_at: now,
    })
    .where('id', '=', id)
    .where('status', '=', 'scheduled')
    .returning(['id', 'status'])
    .executeTakeFirst()

/** Starts a due notification; returns nothing when it was undone or already started. */
export const startNotification = (db: Db, id: number, now: Date) =>
  db
    .updateTable('notifications')
    .set({ status: 'sending', started_at: now })
    .where('id', '=', id)
    .where('status', '=', 'scheduled')
    .where('send_at', '<=', now)
    .returning(['id', 'audience', 'channel', 'has_passkey'])
    .executeTakeFirst()

export const findSending = (db: Db, id: number) =>
  db
    .selectFrom('notifications')
    .select(['id', 'title', 'body', 'channel', 'handed_over_at'])
    .where('id', '=', id)
    .where('status', '=', 'sending')
    .executeTakeFirst()

/** Ends a started notification that must not be sent; no one receives it. */
export const failNotification = (db: Db, id: number, people: number, reason: string, now: Date) =>
  db
    .updateTable('notifications')
    .set({
      status: 'failed',
      handed_over_at: now,
      ended_at: now,
      people,
      waiting: 0,
      failed: people,
      end_reason: reason,
    })
    .where('id', '=', id)
    .where('status', '=', 'sending')
    .execute()

/** Records that every message is queued, unless another runner still has waiting recipients locked. */
export const saveQueued = (db: Db, id: number, now: Date) =>
  db
    .updateTable('notifications')
    .set({ handed_over_at: now })
    .where('id', '=', id)
    .where('status', '=', 'sending')
    .where('handed_over_at', 'is', null)
    .where(
      sql<boolean>`not exists (select from notification_recipients r where r.notification_id = notifications.id and r.state = 'waiting')`,
    )
    .execute()

/** Due notifications that have not started, and started ones that are not fully queued. */
export const findDue = (db: Db, before: Date) =>
  db
    .selectFrom('notifications')
    .select(['id', 'status'])
    .where('status', 'in', ['scheduled', 'sending'])
    .where('send_at', '<', before)
    .where('handed_over_at', 'is', null)
    .orderBy('send_at')
    .limit(100)
    .execute()

/** Stores the counts and ends the notification when no one is waiting. Returns the new status if it changed. */
export async function settleNotification(db: Db, id: number, now: Date): Promise<NotificationStatus | undefined> {
  const { rows } = await sql<{ status: NotificationStatus; was: NotificationStatus }>`
    with locked as (select id, status from notifications where id = ${id} for update)
    update notifications u set people = k.people, waiting = k.waiting, sent = k.sent, delivered = k.delivered, failed = k.failed,
      opted_out = k.opted_out,
      status = case when u.status <> 'sending' or k.waiting > 0 or u.handed_over_at is null then u.status
        when k.sent = 0 and k.failed > 0 then 'failed' else 'sent' end,
      ended_at = case when u.status = 'sending' and k.waiting = 0 and u.handed_over_at is not null then ${now} else u.ended_at end
    from locked n cross join lateral (${countsQuery}) k
    where u.id = n.id and n.status in ('sending', 'sent', 'failed')
    returning u.status, n.status as was`.execute(db)
  const [row] = rows
  return row && row.status !== row.was ? row.status : undefined
}

/** Ends a notification that no service can carry; everyone still waiting counts as failed. */
export const endUndeliverable = (db: Db, id: number, now: Date) =>
  sql`
    update notifications u set people = k.people, waiting = 0, sent = k.sent, delivered = k.delivered,
      failed = k.failed + k.waiting, opted_out = k.opted_out, handed_over_at = coalesce(u.handed_over_at, ${now}), ended_at = ${now},
      status = case when k.sent = 0 then 'failed' else 'sent' end
    from notifications n cross join lateral (${countsQuery}) k
    where u.id = n.id and n.id = ${id} and n.status = 'sending'`.execute(db)

/** Notifications without an end, and text messages that may still get delivery reports. */
export async function findUnsettled(db: Db, since: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from notifications where status = 'sending' and handed_over_at is not null
    union all
    select id from notifications where status = 'sent' and channel = 'text' and created_at > ${since} and delivered + failed < people
    limit 500`.execute(db)
  return rows.map(({ id }) => id)
}
