import { companyZone } from '@limber/contract/kit/company.ts'
import { sql } from 'kysely'
import { type Db, inTransaction } from '#platform/db/db.ts'
import { LIVE_CHANNEL, liveText } from '#platform/live/notify.ts'
import { countActivity } from '../overview/activity.queries.ts'
import { insertDays } from './fill-days.queries.ts'
import { insertPlaces } from './fill-places.queries.ts'

const LOCK = 7_214_090

/** Runs on one snapshot as the only refresher; undefined when another process already runs. */
export const withRefreshLock = <T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T | undefined> =>
  inTransaction(
    db,
    async (tx) => {
      // Many millions of rows can take longer than the normal statement timeout.
      await sql`set local statement_timeout = '15min'`.execute(tx)
      await sql`set local work_mem = '64MB'`.execute(tx)
      const lock = await sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as "isOurs"`.execute(tx)
      return lock.rows[0]?.isOurs ? run(tx) : undefined
    },
    { isolation: 'repeatable read' },
  )

const sources = [
  'customers',
  'bookings',
  'customer_transactions',
  'credit_entries',
  'payroll_entries',
  'payroll_voids',
  'stretchers',
  'zones',
  'referral_reviews',
  'businesses',
  'business_emails',
]

/** Write counters of the source tables. PostgreSQL maintains them anyway, so change detection costs nothing. */
export async function readSignature(db: Db): Promise<string> {
  const { rows } = await sql<{ signature: string }>`
    select coalesce(string_agg(relname || ':' || n_tup_ins || ':' || n_tup_upd || ':' || n_tup_del, ' ' order by relname), '') as signature
    from pg_stat_user_tables where relname = any(${sources}) and schemaname = current_schema()`.execute(db)
  // Days are counted anew after a change of the time zone.
  return `${companyZone()} ${rows[0]?.signature ?? ''}`
}

export const readState = (db: Db) =>
  db.selectFrom('growth_state').select(['day', 'refreshed_at', 'took_ms', 'signature']).executeTakeFirst()

export const putState = (db: Db, state: { day: string; refreshed_at: Date; took_ms: number; signature: string }) =>
  db
    .insertInto('growth_state')
    .values(state)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(state))
    .execute()

/** Recalculates zones and days in one statement, because both use the same activity counts. */
export async function fillFromRows(db: Db, today: string) {
  await sql`delete from growth_places`.execute(db)
  await sql`delete from growth_days`.execute(db)
  await sql`
    with activity as materialized (${countActivity(today)}),
    places_filled as (${insertPlaces(today)}),
    days_filled as (${insertDays(today)})
    select`.execute(db)
}

export const notifyScreens = (db: Db) => sql`select pg_notify(${LIVE_CHANNEL}, ${liveText('growth')})`.execute(db)
