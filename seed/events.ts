import { systemClock } from '@limber/server/platform/clock.ts'
import pg from 'pg'
import { makeCalendar } from './calendar.ts'
import { makeRandom } from './random.ts'
import { copyObjects, dbOn } from './story.ts'
import { loadUsage } from './usage/load-usage.ts'

const DAYS = 31
/** A usual day draws this much more than its share, as Sundays and the rest of today draw less. */
const ROUND_UP = 1.06

/** Adds about so many usage events over the last 31 days to a loaded sample company: all of them or none. */
export async function loadEvents(
  databaseUrl: string,
  count: number,
  { log = () => {}, now = systemClock.now() }: { log?: (line: string) => void; now?: Date } = {},
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c timezone=UTC' })
  await client.connect()
  try {
    await client.query('begin')
    const story = {
      db: dbOn(client),
      calendar: makeCalendar(now),
      // Another stream each time: ids must differ from those that are there.
      random: (name: string) => makeRandom(`${name}/${now.toISOString()}`),
      copy: (table: string, rows: Iterable<object>) => copyObjects(client, table, rows),
      log,
    }
    await loadUsage(story, {
      perDay: (count / DAYS) * ROUND_UP,
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
