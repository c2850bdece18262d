import { stopwatch, systemClock } from '@limber/server/platform/clock.ts'
import { copyRows } from '@limber/server/platform/db/copy.ts'
import type { Db, Tables } from '@limber/server/platform/db/db.ts'
import { makeKeyring, randomToken } from '@limber/server/platform/security/secrets.ts'
import type { Storage } from '@limber/server/platform/storage/storage.ts'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { readBulkTables, withoutIndexes } from './bulk.ts'
import { makeCalendar } from './calendar.ts'
import type { Chapter, Story } from './chapter.ts'
import { chapters as allChapters } from './chapters.ts'
import { makeRandom } from './random.ts'

const VERSION = 1
const LOCK = 7_214_010
/** From this scale on it pays to build indexes after the load. */
const LARGE = 2

export interface StoryOptions {
  /** 1 is the sample company; 100 the large data set for benchmarks. */
  scale?: number
  log?: (line: string) => void
  now?: Date
  /** All of them unless a test can do with fewer. */
  chapters?: readonly Chapter[]
  /** The key of the installation; without it nobody can open what the company has on its way out. */
  secretKey?: string | undefined
  /** Where the files of the company go; without it there are none. */
  storage?: Storage | undefined
}

/**
 * Loads the sample company into a migrated, empty database: all of it or nothing, once.
 * The same day gives the same company.
 */
export async function loadStory(
  databaseUrl: string,
  {
    scale = 1,
    log = () => {},
    now = systemClock.now(),
    chapters = allChapters,
    secretKey = randomToken(),
    storage,
  }: StoryOptions = {},
): Promise<void> {
  if (!Number.isInteger(scale) || scale < 1 || scale > 1000)
    throw new Error('The scale is a whole number from 1 to 1000')
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c timezone=UTC' })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    if (await isLoaded(client)) return
    await checkEmpty(client)
    await tell(client, { scale, log, now, chapters, secretKey, storage })
    await client.query(
      `insert into installation (key, value) values ('story', jsonb_build_object('scale', $1::int, 'loadedAt', $2::text, 'version', $3::int))`,
      [scale, now.toISOString(), VERSION],
    )
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

type Told = Required<Omit<StoryOptions, 'secretKey' | 'storage'>> & { secretKey: string; storage: Storage | undefined }

async function isLoaded(client: pg.Client): Promise<boolean> {
  return (await client.query(`select from installation where key = 'story'`)).rowCount === 1
}

async function checkEmpty(client: pg.Client) {
  const { rows } = await client.query<{ taken: boolean }>(
    'select exists (select from customers) or exists (select from zones) as taken',
  )
  if (rows[0]?.taken) throw new Error('This database already holds records; the sample company needs an empty one.')
}

async function tell(client: pg.Client, { scale, log, now, chapters, secretKey, storage }: Told) {
  const keyring = makeKeyring(secretKey)
  const story: Story = {
    db: dbOn(client),
    calendar: makeCalendar(now),
    scale,
    random: makeRandom,
    copy: (table, rows) => copyObjects(client, table, rows),
    keyring,
    storage,
    seal: (payload) => keyring.seal('outbox', JSON.stringify(payload)),
    log,
  }
  // The ledger moves balances row by row; here both sides are written at once, and the tests compare them.
  await client.query('alter table customers disable trigger customers_credits_on_insert')
  await client.query('alter table credit_entries disable trigger credit_entries_move_credits')
  // No on-site session stands yet when bookings are loaded; the tests compare both afterwards.
  await client.query('alter table bookings disable trigger bookings_clear_of_onsite')
  const tellAll = async () => {
    for (const chapter of chapters) {
      const elapsed = stopwatch()
      await chapter.tell(story)
      log(`${chapter.name}: ${(elapsed() / 1000).toFixed(1)} s`)
    }
  }
  await (scale < LARGE ? tellAll() : withoutIndexes(client, tellAll))
  await client.query('alter table customers enable trigger customers_credits_on_insert')
  await client.query('alter table credit_entries enable trigger credit_entries_move_credits')
  await client.query('alter table bookings enable trigger bookings_clear_of_onsite')
  await moveSequences(client)
}

/** The query builder on the one connection of the transaction. */
export function dbOn(client: pg.Client): Db {
  const connection = { query: client.query.bind(client), release: () => {} }
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect: async () => connection, end: async () => {} } as never }),
  })
}

export async function copyObjects(client: pg.Client, table: string, rows: Iterable<object>): Promise<void> {
  const iterator = rows[Symbol.iterator]()
  const first = iterator.next()
  if (first.done) return
  const columns = Object.keys(first.value)
  function* values() {
    for (let row: IteratorResult<object> = first as IteratorResult<object>; !row.done; row = iterator.next()) {
      const record = row.value as Record<string, string | number | Date | null>
      yield columns.map((column) => record[column])
    }
  }
  await copyRows(client, table, columns, values())
}

/** Rows that brought their own ids leave the sequences behind; the next record must not collide. */
async function moveSequences(client: pg.Client) {
  for (const table of await readBulkTables(client)) {
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', 'id'), greatest((select max(id) from ${table}), 1), exists (select from ${table}))`,
    )
  }
}
