import type pg from 'pg'
import { formatInteger } from '../../contract/src/kit/formats/numbers.ts'
import { quantile } from '../measure.ts'
import { recountAll } from '../recount.ts'
import type { Result } from '../result.ts'
import { type Served, serveOurs, signInWorker, withDatabase } from '../served.ts'
import { withoutIndexes } from '../support.ts'

const SIZES = (process.env.BENCH_PERSONS ?? '10000 1000000').split(' ').map(Number)
const PORT = 3841
const BUDGET_MS = 30
/** Matches of the server while someone types. */
const PALETTE_MS = 150
/** Customers with about 1,000 entries each; all others have about eight. */
const BUSY = 50
const ROUNDS = 200
/** Everything that is in a timeline. */
const PERMISSIONS = '{3,4,5,21,25,31,64,65}'

/** The rows of each source: `n` counts from 1, the customer of a row is `who`. */
const TABLES: Record<string, (from: string) => string> = {
  bookings: (
    from,
  ) => `insert into bookings (customer_id, stretcher_id, zone_id, starts_at, ends_at, status, price, rating, rated_at, created_at)
    select who, who, 1, at, at + interval '1 hour', 'completed', 99, 1 + n % 5, at + interval '2 hours', at from ${from}`,
  customer_transactions: (
    from,
  ) => `insert into customer_transactions (customer_id, transaction_type, amount, credits, status, created_at)
    select who, 'credit_purchase', 225, 3, 'completed', at from ${from}`,
  credit_entries: (from) => `insert into credit_entries (customer_id, delta, kind, worker_id, reason, created_at)
    select who, 1, 'grant', 1, 'Short session', at from ${from}`,
  email_logs: (
    from,
  ) => `insert into email_logs (customer_id, from_address, to_sealed, to_hash, subject, type, key_id, created_at)
    select who, 'help@example.com', '\\x01', '\\x01', 'Your receipt', 'notification', 1, at from ${from}`,
  customer_notes: (from) => `insert into customer_notes (customer_id, worker_id, note, created_at)
    select who, 1, 'Prefers mornings.', at from ${from}`,
  texts: (from) => `insert into texts (sid, is_outgoing, from_number, to_number, body, state, sent_at)
    select 'SM' || gen_random_uuid(), false, '+1' || lpad(who::text, 10, '2'), '+19515550100', 'Can I come at nine?', 'received', at from ${from}`,
  audit_log: (from) => `insert into audit_log (at, worker_id, worker_name, call, action, outcome, subject, subject_id)
    select at, 1, 'Bench', 'correctContact', 'contact_corrected', 'done', 'customer', who::text from ${from}`,
}

async function fill(data: pg.Client, size: number) {
  await data.query('set session_replication_role = replica')
  // Checking a million bookings for overlaps takes minutes, and nothing here books.
  await data.query('alter table bookings drop constraint bookings_stretcher_in_one_place')
  await withoutIndexes(data, 'customers', () =>
    data.query(
      `insert into customers (first_name, last_name, email, phone, joined_at, last_login_at, credits)
       select 'Ada', 'Okafor' || n % 1000, 'user' || n || '@example.com', '+1' || lpad(n::text, 10, '2'), now() - interval '900 days', now(), 3
       from generate_series(1, $1::int) n`,
      [size],
    ),
  )
  for (const [table, insert] of Object.entries(TABLES)) {
    await withoutIndexes(data, table, async () => {
      await data.query(
        insert(
          `(select n, n as who, now() - (100 + n % 800) * interval '1 day' as at from generate_series(1, ${size}) n) x`,
        ),
      )
      await data.query(
        insert(`(select n, 1 + n % ${BUSY} as who, now() - n * interval '20 minutes' as at
          from generate_series(1, ${BUSY * 140}) n) x`),
      )
    })
  }
  await withoutIndexes(data, 'tickets', () =>
    data.query(
      `insert into tickets (customer_id, customer_email, subject, status, priority, created_at, updated_at, message_count)
       select n * 4, 'user' || n * 4 || '@example.com', 'Charged twice', 'closed', 'medium', at, at, 3
       from (select n, now() - (n % 800) * interval '1 day' as at from generate_series(1, $1::int / 4) n) x`,
      [size],
    ),
  )
  await withoutIndexes(data, 'ticket_messages', () =>
    data.query(
      `insert into ticket_messages (ticket_id, from_customer, worker_id, content, created_at, ticket_version)
       select 1 + n / 3, n % 3 <> 1, case when n % 3 = 1 then 1 end, 'My card was charged twice', now() - (n % 2000) * interval '9 hours', 1
       from generate_series(0, $1::int / 4 * 3 - 1) n`,
      [size],
    ),
  )
  await data.query('set session_replication_role = default')
  await recountAll(data)
  await data.query('vacuum analyze')
}

async function timed(
  served: Served,
  name: string,
  path: (round: number) => string,
  budget = BUDGET_MS,
): Promise<Result> {
  const times: number[] = []
  for (let round = -20; round < ROUNDS; round += 1) {
    const { status, ms } = await served.call(path(round + 20))
    if (status !== 200) throw new Error(`${path(round + 20)} returned ${status}`)
    if (round >= 0) times.push(ms)
  }
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)]
  return {
    name,
    ratio: p95 / budget,
    budget: 1,
    figure: `95% within ${p95.toFixed(1)} ms of ${budget} ms, median ${p50.toFixed(1)} ms`,
  }
}

const benchSize = (size: number) =>
  withDatabase('person', async (url, data): Promise<Result[]> => {
    const token = await signInWorker(data, PERMISSIONS)
    await fill(data, size)
    const served = await serveOurs(PORT, url, token)
    const of = `of ${formatInteger(size)}`
    const timeline = (id: number, query: string) => `/api/support/users/${id}/timeline?${query}`
    const anyone = (round: number) => BUSY + 1 + ((round * 7919) % (size - BUSY))
    const busy = (round: number) => 1 + (round % BUSY)
    const typed = (words: string) => `/api/support/users?limit=5&living=yes&search=${encodeURIComponent(words)}`
    const palette = (what: string, words: (round: number) => string) =>
      timed(served, `palette: customers by ${what} ${of}`, (round) => typed(words(round)), PALETTE_MS)
    try {
      const { json } = await served.call(timeline(1, 'limit=100'))
      const cursor = encodeURIComponent(String(json.next))
      return [
        await timed(served, `timeline: first page of a customer ${of}`, (round) => timeline(anyone(round), 'limit=30')),
        await timed(served, `timeline: first page of one with 1,000 entries ${of}`, (round) =>
          timeline(busy(round), 'limit=30'),
        ),
        await timed(served, `timeline: second 100 of one with 1,000 entries ${of}`, () =>
          timeline(1, `limit=100&before=${cursor}`),
        ),
        await timed(served, `timeline: last five beside a ticket ${of}`, (round) =>
          timeline(busy(round), 'limit=5&exceptTicket=1'),
        ),
        await palette('three letters of all names', () => 'ada'),
        await palette('a name', (round) => `okafor${round % 1000}`),
        await palette('an email', (round) => `user${anyone(round)}@`),
        await palette('a word that no one has', (round) => `zzq${round}`),
      ]
    } finally {
      served.child.kill('SIGKILL')
    }
  })

/** Reads pages of the timeline of a person with few and with many entries, among few and among many customers. */
export async function benchPerson(): Promise<Result[]> {
  const results: Result[] = []
  for (const size of SIZES) results.push(...(await benchSize(size)))
  return results
}
