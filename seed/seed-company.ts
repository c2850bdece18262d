import { stopwatch, systemClock } from '@limber/server/platform/clock.ts'
import { copyRows } from '@limber/server/platform/db/copy.ts'
import type { Db, Tables } from '@limber/server/platform/db/db.ts'
import { makeKeyring, randomToken } from '@limber/server/platform/security/secrets.ts'
import type { Storage } from '@limber/server/platform/storage/storage.ts'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { readBulkTables, withoutIndexes } from './bulk.ts'
import { makeCalendar } from './calendar.ts'
import { makeRandom } from './random.ts'
import type { SeedContext, Seeder } from './seeder.ts'
import { seeders as allSeeders } from './seeders.ts'

const VERSION = 1
const PEOPLE = 3000
const LOCK = 7_214_010
/** From this scale on, building indexes after the load is faster. */
const LARGE_SCALE = 2

export interface SeedOptions {
  /** 1 is the sample company, 100 the large data set for benchmarks. */
  scale?: number
  /** Tests may need fewer people. */
  partSize?: number
  log?: (line: string) => void
  now?: Date
  /** All by default; tests may need fewer. */
  seeders?: readonly Seeder[]
  /** The key of the installation. Without it, the server cannot decrypt the outbox and the email log. */
  secretKey?: string | undefined
  /** Where files are stored. Without it, courses have no files. */
  storage?: Storage | undefined
}

/**
 * Loads the sample company into a migrated, empty database, in one transaction. Does nothing if it is already loaded.
 * The same day gives the same company.
 */
export async function seedCompany(
  databaseUrl: string,
  {
    scale = 1,
    partSize = PEOPLE,
    log = () => {},
    now = systemClock.now(),
    seeders = allSeeders,
    secretKey = randomToken(),
    storage,
  }: SeedOptions = {},
): Promise<void> {
  if (!Number.isInteger(scale) || scale < 1 || scale > 1000)
    throw new Error('The scale must be a whole number from 1 to 1000')
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c timezone=UTC' })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    if (await isLoaded(client)) return
    await checkEmpty(client)
    await runSeeders(client, { scale, partSize, log, now, seeders, secretKey, storage })
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

type ResolvedOptions = Required<Omit<SeedOptions, 'secretKey' | 'storage'>> & {
  secretKey: string
  storage: Storage | undefined
}

async function isLoaded(client: pg.Client): Promise<boolean> {
  return (await client.query(`select from installation where key = 'story'`)).rowCount === 1
}

async function checkEmpty(client: pg.Client) {
  const { rows } = await client.query<{ has_records: boolean }>(
    'select exists (select from customers) or exists (select from zones) as has_records',
  )
  if (rows[0]?.has_records)
    throw new Error('This database already has records. The sample company needs an empty database.')
}

async function runSeeders(
  client: pg.Client,
  { scale, partSize, log, now, seeders, secretKey, storage }: ResolvedOptions,
) {
  const keyring = makeKeyring(secretKey)
  const context: SeedContext = {
    db: dbOn(client),
    calendar: makeCalendar(now),
    scale,
    partSize,
    random: makeRandom,
    copy: (table, rows) => copyObjects(client, table, rows),
    keyring,
    storage,
    seal: (payload) => keyring.seal('outbox', JSON.stringify(payload)),
    log,
  }
  // These triggers update balances row by row. The seeders write both sides at once, and the tests compare them.
  await client.query('alter table customers disable trigger customers_credits_on_insert')
  await client.query('alter table credit_entries disable trigger credit_entries_move_credits')
  // This trigger checks bookings against on-site sessions, which are loaded later. The tests check both.
  await client.query('alter table bookings disable trigger bookings_clear_of_onsite')
  const seedAll = async () => {
    for (const seeder of seeders) {
      const elapsed = stopwatch()
      await seeder.seed(context)
      log(`${seeder.name}: ${(elapsed() / 1000).toFixed(1)} s`)
    }
  }
  await (scale < LARGE_SCALE ? seedAll() : withoutIndexes(client, seedAll))
  await client.query('alter table customers enable trigger customers_credits_on_insert')
  await client.query('alter table credit_entries enable trigger credit_entries_move_credits')
  await client.query('alter table bookings enable trigger bookings_clear_of_onsite')
  await advanceSequences(client)
}

/** A query builder on the connection of the transaction. */
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

/** Rows with explicit ids do not advance the sequences. */
async function advanceSequences(client: pg.Client) {
  for (const table of await readBulkTables(client)) {
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', 'id'), greatest((select max(id) from ${table}), 1), exists (select from ${table}))`,
    )
  }
}
