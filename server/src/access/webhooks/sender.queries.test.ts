import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE, shift } from '#platform/clock.ts'
import { type Db, inTransaction } from '#platform/db/db.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { claimEndpoints, findDue, type Settled, saveSettled, waitForHeads } from './sender.queries.ts'
import { insertEndpoint, restartOpen } from './webhook.queries.ts'

const RECORDS = 3000
/** What a statement may read beyond the rows that it is about. */
const SPARE = 50

let server: TestServer
let now: Date
beforeAll(async () => {
  server = await startTestServer()
  now = server.clock.now()
})
afterAll(() => server.stop())

const addEndpoint = () =>
  insertEndpoint(server.db, {
    ...{ url: 'https://example.com/', description: '', events: ['customer.updated'], include_own_changes: false },
    ...{ enabled: true, source: null, created_by: null, created_at: now },
  })

/** Two events of each record. */
const enqueue = (endpoint: number) =>
  sql`insert into webhook_deliveries (endpoint_id, event_id, event_type, record, body, next_attempt_at, created_at)
    select ${endpoint}::bigint, 'evt_' || n, 'customer.updated', 'customers ' || n % ${RECORDS}, '{}', ${now}::timestamptz,
      ${now}::timestamptz
    from generate_series(1, ${2 * RECORDS}) n`.execute(server.db)

async function rowsRead(tx: Db): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
    where relname = 'webhook_deliveries'`.execute(tx)
  return rows[0]?.read ?? 0
}

/** How many deliveries some work reads. */
const rowsReadBy = (work: (tx: Db) => Promise<unknown>) =>
  inTransaction(server.db, async (tx) => {
    const before = await rowsRead(tx)
    await work(tx)
    return (await rowsRead(tx)) - before
  })

const settle = (id: number, more: Partial<Settled> = {}): Settled => ({
  ...{ id, state: 'delivered', next_attempt_at: null, signature: '', reply: null, had_failed: false },
  attempt: { at: now, status: 204, duration_ms: 1, error: null },
  ...more,
})

describe.each([
  ['before there are statistics', async () => {}],
  [
    'with statistics of an empty queue',
    async () => {
      await enqueue(await addEndpoint())
      await sql`update webhook_deliveries set state = 'delivered', settled_at = now()`.execute(server.db)
      await sql`vacuum analyze webhook_deliveries`.execute(server.db)
    },
  ],
  ['with statistics of a full queue', () => sql`analyze webhook_deliveries`.execute(server.db)],
  [
    'with statistics of the queue of another endpoint',
    async () => {
      await sql`update webhook_deliveries set state = 'delivered', settled_at = now()`.execute(server.db)
      await sql`vacuum analyze webhook_deliveries`.execute(server.db)
      await enqueue(await addEndpoint())
      await enqueue(await addEndpoint())
      await sql`vacuum analyze webhook_deliveries`.execute(server.db)
    },
  ],
] as const)('a long queue, %s', (_name, prepare) => {
  it('is worked off without reading all of it', async () => {
    await prepare()
    const endpoint = await addEndpoint()
    await enqueue(endpoint)
    expect(await rowsReadBy((tx) => claimEndpoints(tx, 'me', now))).toBeLessThan(SPARE)
    const due = await findDue(server.db, endpoint, [], 100, now)
    expect(due.map(({ id }) => id)).toEqual(due.map(({ head }) => head))
    const busy = due.map(({ record }) => record)
    expect(await rowsReadBy((tx) => findDue(tx, endpoint, busy, 100, now))).toBeLessThan(400 + SPARE)

    const [done, failed, other] = due.map(({ id }) => id) as [number, number, number]
    const later = shift(now, MINUTE)
    const outcomes = [
      settle(done),
      settle(failed, { state: 'waiting', next_attempt_at: later }),
      settle(other, { state: 'waiting', next_attempt_at: later }),
    ]
    expect(await rowsReadBy((tx) => saveSettled(tx, endpoint, 'me', outcomes, now))).toBeLessThan(SPARE)
    expect(await rowsReadBy((tx) => waitForHeads(tx, endpoint, [failed, other]))).toBeLessThan(SPARE)
    const over = [settle(failed, { state: 'failed', had_failed: true })]
    expect(await rowsReadBy((tx) => saveSettled(tx, endpoint, 'me', over, now))).toBeLessThan(SPARE)

    const { rows } = await sql<{ state: string; next_attempt_at: Date }>`
      select state, next_attempt_at from webhook_deliveries where endpoint_id = ${endpoint}
        and record = any(${busy.slice(0, 3)}::text[]) order by id`.execute(server.db)
    expect(rows.map(({ state, next_attempt_at }) => [state, next_attempt_at])).toEqual([
      ['delivered', now],
      ['failed', later],
      ['waiting', later],
      ['waiting', now],
      // Released, because the one before it is over.
      ['waiting', now],
      // Behind one that is tried again later.
      ['waiting', later],
    ])

    // Due again: the one that failed, and the one that was tried.
    const restart = async (tx: Db) => expect(await restartOpen(tx, endpoint, now, now)).toBe(2)
    expect(await rowsReadBy(restart)).toBeLessThan(SPARE)
  })
})
