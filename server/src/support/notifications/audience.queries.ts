import type { Audience, NotificationChannel } from '@limber/contract/support/notifications/notification.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { isSuppressedSql } from '#platform/mail/suppressions.ts'
import { activeSince } from '../customers/customer.rules.ts'

type Condition = (now: Date) => RawBuilder<unknown>

/** Active and inactive are defined as in the user list. */
const conditions: Record<Audience['kind'], Condition> = {
  all: () => sql`true`,
  active: (now) => sql`c.last_login_at > ${activeSince(now)}`,
  inactive: (now) => sql`(c.last_login_at is null or c.last_login_at <= ${activeSince(now)})`,
  with_credits: () => sql`c.credits > 0`,
  upcoming_booking: (now) =>
    sql`exists (select from bookings b where b.customer_id = c.id and b.starts_at > ${now} and b.status in ('requested', 'confirmed'))`,
  stretchers: () => sql`exists (select from stretchers s where s.customer_id = c.id and s.status <> 'inactive')`,
}

/** A customer's address on a channel; an email address must be verified. */
const addresses = {
  mail: sql`case when c.email_verified_at is not null then c.email end`,
  text: sql`c.phone`,
}

export const addressSql = (channel: NotificationChannel) => addresses[channel]

/** The members of an audience with their address on the channel. Blocked accounts, including merged and erased, are excluded. */
function membersSql(audience: Audience, channel: NotificationChannel, now: Date) {
  const where = [
    sql`c.blocked_at is null`,
    conditions[audience.kind](now),
    ...(audience.zoneId === null ? [] : [sql`c.zone_id = ${audience.zoneId}`]),
    ...(audience.valueTier === null ? [] : [sql`c.value_tier = ${audience.valueTier}`]),
  ]
  return sql`select c.id, ${addresses[channel]} as address from customers c where ${sql.join(where, sql` and `)}`
}

export interface Reach {
  people: number
  opted_out: number
  without_address: number
}

/** How many people a notification reaches, counting each address once. */
export async function countReach(db: Db, audience: Audience, channel: NotificationChannel, now: Date): Promise<Reach> {
  const { rows } = await sql<Reach>`
    with members as materialized (${membersSql(audience, channel, now)}),
    reached as (select distinct address from members where address is not null),
    known as (select ${isSuppressedSql(channel, sql`address`)} as is_excluded from reached)
    select (count(*) filter (where not is_excluded))::int as people, (count(*) filter (where is_excluded))::int as opted_out,
      (select count(*)::int from members where address is null) as without_address
    from known`.execute(db)
  return rows[0] ?? { people: 0, opted_out: 0, without_address: 0 }
}

/** Stores the recipients of a notification, each address once. Running it again adds no one. */
export async function insertRecipients(
  db: Db,
  notification: { id: number; audience: Audience; channel: NotificationChannel },
  now: Date,
) {
  const { id, audience, channel } = notification
  await sql`
    insert into notification_recipients (notification_id, customer_id)
    select ${id}, customer_id from (
      select distinct on (address) id as customer_id from (${membersSql(audience, channel, now)}) m
      where address is not null order by address, id) one_each
    on conflict do nothing`.execute(db)
}

export const findZoneName = (db: Db, id: number) =>
  db.selectFrom('zones').select('name').where('id', '=', id).executeTakeFirst()

export const findZoneChoices = (db: Db) =>
  db.selectFrom('zones').select(['id', 'name']).orderBy('name').limit(1_000).execute()
