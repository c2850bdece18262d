import { systemClock } from '@limber/server/platform/clock.ts'
import pg from 'pg'
import { makeCalendar } from './calendar.ts'
import { makeRandom } from './random.ts'
import { copyObjects, dbOn } from './seed-company.ts'
import { loadUsage } from './usage/load-usage.ts'

const DAYS = 31
/** Makes up for Sundays and the rest of today, which have fewer events. */
const WEEKDAY_FACTOR = 1.06

/** Adds about `count` usage events over the last 31 days to a loaded sample company, in one transaction. */
export async function loadUsageEvents(
  databaseUrl: string,
  count: number,
  { log = () => {}, now = systemClock.now() }: { log?: (line: string) => void; now?: Date } = {},
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c timezone=UTC' })
  await client.connect()
  try {
    await client.query('begin')
    const context = {
      db: dbOn(client),
      calendar: makeCalendar(now),
      // A different stream each time, so that ids do not collide with existing ones.
      random: (name: string) => makeRandom(`${name}/${now.toISOString()}`),
      copy: (table: string, rows: Iterable<object>) => copyObjects(client, table, rows),
      log,
    }
    await loadUsage(context, {
      perDay: (count / DAYS) * WEEKDAY_FACTOR,
      days: DAYS - 1,
      stream: 'usage/more',
      withRecords: false,
    })
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
}
