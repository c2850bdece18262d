import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { rebuildWithin } from '@limber/server/analytics/public.ts'
import { DAY } from '@limber/server/platform/clock.ts'
import { sql } from 'kysely'
import type { Calendar } from '../calendar.ts'
import type { SeedContext } from '../seeder.ts'
import { findRecordedEvents } from './recorded-events.ts'
import { makeTraffic } from './traffic.ts'

type UsageContext = Pick<SeedContext, 'db' | 'random' | 'copy' | 'log'> & { calendar: Calendar }

interface UsageOptions {
  /** Events on a usual day. */
  perDay: number
  days: number
  /** The name of the random stream. */
  stream: string
  /** Whether to add events for the company's records, which must happen only once. */
  withRecords: boolean
}

/** Writes the usage of the last days and rebuilds the figures. */
export async function loadUsage(
  context: UsageContext,
  { perDay, days, stream, withRecords }: UsageOptions,
): Promise<void> {
  const { db, calendar } = context
  const zones = new Map(
    (await db.selectFrom('zones').select(['id', 'name']).execute()).map((zone) => [zone.id, zone.name]),
  )
  const customers = await db
    .selectFrom('customers')
    .select(['id', 'zone_id', 'joined_at'])
    .where('blocked_at', 'is', null)
    .where('last_login_at', '>', new Date(calendar.now.getTime() - 60 * DAY))
    .orderBy('engagement_score', 'desc')
    .orderBy('id')
    .execute()
  const workers = await db.selectFrom('workers').select('id').where('status', '=', 'active').orderBy('id').execute()
  const stretchers = await db.selectFrom('stretchers').select('id').orderBy('id').execute()
  const nameOf = (zoneId: number | null) => (zones.get(zoneId ?? 0) ?? 'riverside').toLowerCase()
  const traffic = makeTraffic(context.random(stream), calendar, {
    customers: customers.map(({ id, zone_id, joined_at }) => ({ id, zone: nameOf(zone_id), joinedAt: joined_at })),
    workers: workers.map(({ id }) => id),
    stretchers: stretchers.map(({ id }) => id),
  })
  const recorded = withRecords ? await findRecordedEvents(db, calendar.at(-days, 0), calendar.now) : []
  await withoutEventIndexes(db, async () => {
    const partitions = new Set<string>()
    for (let day = -days; day <= 0; day++) {
      const [start, end] = [calendar.at(day, 0), calendar.at(day + 1, 0)]
      const own = recorded.filter(({ at }) => at >= start && at < end)
      const rows = traffic.eventsOfDay(day, perDay, own)
      for (const date of new Set(rows.map((row) => row.created_at.toISOString().slice(0, 10)))) {
        if (!partitions.has(date)) await sql`select ensure_event_partition(${date}::date)`.execute(db)
        partitions.add(date)
      }
      await context.copy('events', rows)
    }
  })
  const { events } = await rebuildWithin(db, calendar.now)
  context.log(pluralize(events, 'usage event'))
}

/** Building indexes at the end is several times faster than updating them row by row. */
async function withoutEventIndexes(db: SeedContext['db'], load: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'events'::regclass order by 1`.execute(
    db,
  )
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(db)
  await load()
  for (const { definition } of rows) await sql.raw(definition.replace(' ON ONLY ', ' ON ')).execute(db)
}
