import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { rebuildWithin } from '@limber/server/analytics/public.ts'
import { DAY } from '@limber/server/platform/clock.ts'
import { sql } from 'kysely'
import type { Calendar } from '../calendar.ts'
import type { Story } from '../chapter.ts'
import { findTraces } from './traces.ts'
import { makeTraffic } from './traffic.ts'

type Teller = Pick<Story, 'db' | 'random' | 'copy' | 'log'> & { calendar: Calendar }

interface Amount {
  /** Events on a usual day. */
  perDay: number
  days: number
  /** The stream the chance is taken from. */
  stream: string
  /** Are the records of the company told with it? They are told once. */
  withRecords: boolean
}

/** Writes the usage of the last days, day by day, and adds up its figures. */
export async function loadUsage(story: Teller, { perDay, days, stream, withRecords }: Amount): Promise<void> {
  const { db, calendar } = story
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
  const traffic = makeTraffic(story.random(stream), calendar, {
    customers: customers.map(({ id, zone_id, joined_at }) => ({ id, zone: nameOf(zone_id), joinedAt: joined_at })),
    workers: workers.map(({ id }) => id),
    stretchers: stretchers.map(({ id }) => id),
  })
  const traces = withRecords ? await findTraces(db, calendar.at(-days, 0), calendar.now) : []
  await withoutEventIndexes(db, async () => {
    const made = new Set<string>()
    for (let day = -days; day <= 0; day++) {
      const [start, end] = [calendar.at(day, 0), calendar.at(day + 1, 0)]
      const own = traces.filter(({ at }) => at >= start && at < end)
      const rows = traffic.tellDay(day, perDay, own)
      for (const date of new Set(rows.map((row) => row.created_at.toISOString().slice(0, 10)))) {
        if (!made.has(date)) await sql`select ensure_event_partition(${date}::date)`.execute(db)
        made.add(date)
      }
      await story.copy('events', rows)
    }
  })
  const { events } = await rebuildWithin(db, calendar.now)
  story.log(pluralize(events, 'usage event'))
}

/** Indexes are several times cheaper to build at the end than to keep up row by row. */
async function withoutEventIndexes(db: Story['db'], load: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'events'::regclass order by 1`.execute(
    db,
  )
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(db)
  await load()
  for (const { definition } of rows) await sql.raw(definition.replace(' ON ONLY ', ' ON ')).execute(db)
}
