import { deepStrictEqual } from 'node:assert'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import { fetchJson, type RequestSpec, sideBySide, type Target } from './measure.ts'
import { recountAll } from './recount.ts'
import type { Result } from './result.ts'
import { serveLimit, serveOurs, signInWorker, withDatabase } from './served.ts'

const SIZES = (process.env.BENCH_TICKETS ?? '100000 1000000').split(' ').map(Number)
const OURS = 3831
const LIMIT = 3832
const READ_BUDGET = 1.6
const WRITE_BUDGET = 2.5
/** Number of tickets to cycle through. */
const WALKED = 5_000
const STATUSES = ['open', 'in_progress', 'closed']

/** Several years of tickets with customers, messages and history. One in fifty is open. */
async function fill(data: pg.Client, tickets: number) {
  await data.query('set session_replication_role = replica')
  await data.query(`insert into customers (first_name, last_name, email, phone, joined_at, last_login_at)
    select 'Ada', 'Okafor' || n % 1000, 'user' || n || '@example.com', '+1951555' || lpad((n % 10000)::text, 4, '0'), now() - interval '200 days', now()
    from generate_series(1, ${tickets / 10}) n`)
  await data.query(`insert into tickets (customer_id, customer_email, subject, status, priority, assignee_id, created_at, updated_at, message_count)
    select 1 + n % ${tickets / 10}, 'user' || 1 + n % ${tickets / 10} || '@example.com', 'Charged twice ' || n,
      case when n % 50 = 0 then 'open' else 'closed' end, 'medium', case when n % 2 = 0 then 1 end, now() - n * interval '2 minutes', now() - n * interval '2 minutes', 3
    from generate_series(1, ${tickets}) n`)
  await data.query(`insert into ticket_messages (ticket_id, from_customer, worker_id, content, created_at, ticket_version)
    select 1 + n / 3, n % 3 <> 1, case when n % 3 = 1 then 1 end, 'Hello, my card was charged twice, reference ' || md5(n::text), now() - n * interval '40 seconds', 1
    from generate_series(0, ${3 * tickets - 1}) n`)
  await data.query(`insert into ticket_events (ticket_id, worker_id, kind, text, created_at)
    select n, 1, 'status', 'Set to Closed', now() - n * interval '2 minutes' from generate_series(1, ${tickets}) n`)
  await data.query('set session_replication_role = default')
  await recountAll(data)
  await data.query('vacuum analyze')
}

/** Alternates the status, so that every request changes something. */
function changing(tickets: number) {
  return (n: number): RequestSpec => ({
    path: `/api/support/tickets/${1 + ((n * 7919) % Math.min(WALKED, tickets))}/status`,
    method: 'PATCH',
    headers: { 'idempotency-key': randomUUID() },
    body: { status: STATUSES[Math.floor(n / WALKED + n) % 3] },
  })
}

async function measure(
  name: string,
  budget: number,
  ours: Target,
  limit: Target,
  asking: (n: number) => RequestSpec,
): Promise<Result> {
  const found = await sideBySide(ours, limit, asking)
  return {
    name,
    ratio: found.ratio,
    budget,
    figure: `${found.ours.toFixed(3)} ms against ${found.limit.toFixed(3)} ms (ratio ${found.spread[0].toFixed(2)} to ${found.spread[1].toFixed(2)}; p50 ${found.p50.toFixed(1)}, p99 ${found.p99.toFixed(1)} ms)`,
  }
}

/** The bare server leaves out fields that are empty on these tickets, such as tags. */
const withoutEmpty = (reply: unknown): unknown =>
  JSON.parse(JSON.stringify(reply), (_, value) =>
    value === null || (Array.isArray(value) && value.length === 0) ? undefined : value,
  )

const benchSize = (tickets: number, parts: readonly string[]) =>
  withDatabase('tickets', async (url, data): Promise<Result[]> => {
    const token = await signInWorker(data, '{21}')
    await fill(data, tickets)
    const served = await serveOurs(OURS, url, token)
    const bare = await serveLimit(LIMIT, url)
    const ours = { name: 'ours', port: OURS, headers: served.headers }
    const limit = { name: 'limit', port: LIMIT, headers: served.headers }
    const of = `of ${formatInteger(tickets)}`
    const results: Result[] = []
    try {
      const read = (n: number) => `/api/support/tickets/${1 + ((n * 7919) % Math.min(WALKED, tickets))}`
      for (let n = 0; n < 5; n++)
        deepStrictEqual(withoutEmpty(await fetchJson(ours, read(n))), withoutEmpty(await fetchJson(limit, read(n))))
      if (parts.includes('W2'))
        results.push(await measure(`W2 a ticket with its thread, ${of}`, READ_BUDGET, ours, limit, read))
      if (parts.includes('W3'))
        results.push(await measure(`W3 a status set, ${of}`, WRITE_BUDGET, ours, limit, changing(tickets)))
      return results
    } finally {
      served.child.kill('SIGKILL')
      bare.kill('SIGKILL')
    }
  })

/** W2 reads a ticket, W3 sets its status, against a bare server that reads and writes the same rows. */
export async function benchTickets(parts: readonly string[]): Promise<Result[]> {
  const results: Result[] = []
  for (const tickets of SIZES) results.push(...(await benchSize(tickets, parts)))
  return results
}
