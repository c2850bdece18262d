import pg from 'pg'
import { companyDay } from '../contract/src/kit/company.ts'
import { addDays } from '../contract/src/kit/days.ts'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import { reportGroups } from '../contract/src/support/report/figure.ts'
import { openDb } from '../server/src/platform/db/db.ts'
import { packBlocks } from '../server/src/support/report/pack-blocks.ts'
import { median, quantile } from './measure.ts'
import { recountAll } from './recount.ts'
import type { Result } from './result.ts'
import { type Served, serveOurs, signInWorker, withDatabase } from './served.ts'
import { withoutIndexes } from './support.ts'

const PORT = 3808
const TICKETS = Number(process.env.BENCH_REPORT_TICKETS ?? 1_000_000)
const AGENTS = 40
const TAGS = 20
const DAYS = 360
const ROUNDS = 15
/** In the ten minutes until changed tickets are packed; a busy company of this size changes a hundred. */
const CHANGES = 1_000
/** A schedule's run. */
const PACK_S = 60
const REPORT_MS = 500
const COUNTS_MS = 20
const COUNT_CALLS = 1_000
/** One ticket is set to another status for as many calls for counts. */
const CALLS_A_CHANGE = 4

/** A year of tickets of every channel, kind and tag, answered and closed after minutes to days, promised and rated. */
async function fillYear(data: pg.Client): Promise<void> {
  await data.query('set session_replication_role = replica')
  await data.query(`insert into workers (email, name, permissions, handle, status, created_at)
    select 'agent' || n || '@example.com', 'Agent ' || n, '{21}', decode(lpad(n::text, 4, '0'), 'hex'), 'active', now()
    from generate_series(2, ${AGENTS + 1}) n`)
  await data.query(`insert into ticket_tags (name) select 'tag ' || n from generate_series(1, ${TAGS}) n`)
  await data.query(`insert into promise_settings (version, week, holidays, targets, time_zone, saved_at)
    values (1, '[]', '[]', '{}', 'America/Los_Angeles', now() - interval '2 years')`)
  // Every property is drawn from the id by itself, so that all combinations occur, as in a real desk.
  await withoutIndexes(data, 'tickets', () =>
    data.query(`insert into tickets (customer_email, subject, status, priority, kind, tags, assignee_id, created_at, updated_at, waiting_since, message_count)
    select 'user' || n % 100000 || '@example.com', 'Charged twice ' || n, case when is_open then 'open' else 'closed' end,
      (array['low','medium','high'])[1 + h / 7 % 3], (array['question','complaint','booking','refund',null])[1 + h % 5],
      case h / 21 % 4 when 0 then '{}' when 1 then array[1 + h / 84 % ${TAGS}] else array[1 + h / 84 % ${TAGS}, 1 + (h / 84 + 7) % ${TAGS}] end::bigint[],
      case when h % 23 > 0 then 2 + h / 1680 % ${AGENTS} end, at, at, case when is_open and h % 2 = 0 then at end, 3
    from (select n, n % 50 = 0 as is_open, hashint8(n) & 1073741823 as h, now() - n * interval '1 day' * ${DAYS} / ${TICKETS} as at
      from generate_series(1, ${TICKETS}) n) t`),
  )
  await data.query(`insert into ticket_times (ticket_id, opened_at, opened_priority, channel, first_reply_at, closed_at, is_stale)
    select id, created_at, priority, (array['email','email','worker','api'])[1 + id % 4],
      case when id % 13 > 0 then created_at + interval '1 minute' * exp(5 * (hashint8(id) & 1048575) / 1048576.0 + 1) end,
      case when status = 'closed' then created_at + interval '1 minute' * exp(7 * (hashint8(id * 7) & 1048575) / 1048576.0 + 2) end, false
    from tickets`)
  await data.query(`insert into ticket_promises (ticket_id, kind, started_at, priority, rank, version, target_ms, spent_ms, ended_at, outcome)
    select ticket_id, 'first', opened_at, opened_priority, 'Bronze', 1, 3600000, 1800000, first_reply_at, case when ticket_id % 11 = 0 then 'missed' else 'kept' end
    from ticket_times where first_reply_at is not null`)
  await data.query(`insert into ticket_ratings (ticket_id, created_at, asked_at, outbox_key, rating, rated_at)
    select ticket_id, closed_at, closed_at, 'ticket-rating-' || ticket_id, case when ticket_id % 7 = 0 then 'bad' else 'good' end, closed_at + interval '3 hours'
    from ticket_times where closed_at is not null and ticket_id % 5 = 0`)
  await data.query(`insert into ticket_views (worker_id, name, is_shared, queue, kind, tag_id, changed_at)
    select 2, 'View ' || n, true, 'waiting', 'refund', 1 + n % ${TAGS}, now() from generate_series(1, 20) n`)
  await data.query('set session_replication_role = default')
  await data.query('insert into ticket_report_blocks (block) select distinct id / 256 from tickets')
  await recountAll(data)
  await data.query('vacuum analyze')
}

/** What the schedule does every ten minutes; here for all tickets. Returns seconds. */
async function packAll(url: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url })
  const started = performance.now()
  await packBlocks({ db: openDb(pool) })
  await pool.end()
  return (performance.now() - started) / 1000
}

/** Tickets all over the year that changed since. */
const change = (data: pg.Client) =>
  data.query(`update tickets set kind = 'complaint' where id % ${Math.round(TICKETS / CHANGES)} = 0`)

/** Calls for the counts while tickets move between queues. Returns how long 99 of 100 take at most. */
async function timeCounts(served: Served): Promise<number> {
  // The first ones warm up compiled code and do not count.
  for (let warm = 0; warm < 20; warm += 1) await served.call('/api/support/ticket-queues')
  const times: number[] = []
  for (let call = 0; call < COUNT_CALLS; call += 1) {
    if (call % CALLS_A_CHANGE === 0) {
      const status = ['open', 'in_progress', 'closed'][(call / CALLS_A_CHANGE) % 3]
      const set = await served.call(`/api/support/tickets/${1 + call}/status`, { status }, 'PATCH')
      if (set.status !== 200) throw new Error(`The status returned ${set.status}: ${JSON.stringify(set.json)}`)
    }
    const { status, ms } = await served.call('/api/support/ticket-queues')
    if (status !== 200) throw new Error(`The counts returned ${status}`)
    times.push(ms)
  }
  return quantile(times, 0.99)
}

async function timed(served: Served, path: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { status, ms, json } = await served.call(path)
    if (status !== 200) throw new Error(`${path} returned ${status}: ${JSON.stringify(json)}`)
    times.push(ms)
  }
  return median(times)
}

const result = (name: string, ms: number, limit: number): Result => ({
  name: `${name}, ${formatInteger(TICKETS)} tickets`,
  ratio: ms / limit,
  budget: 1,
  figure: `${ms.toFixed(1)} ms of ${limit} ms`,
})

/** The report of a year and the counts of the queues, with a million tickets. */
export const benchReport = (): Promise<Result[]> =>
  withDatabase('report', async (url, data) => {
    const token = await signInWorker(data, '{5,21}')
    await fillYear(data)
    const packed = await packAll(url)
    await change(data)
    const served = await serveOurs(PORT, url, token)
    try {
      const today = companyDay(new Date())
      const year = `from=${addDays(today, -DAYS)}&to=${today}`
      const results = [result('packing all tickets for the report', packed * 1000, PACK_S * 1000)]
      const { ms: first } = await served.call(`/api/support/report?${year}&by=week`)
      results.push(result('a year by week, the first report of a process', first, REPORT_MS))
      for (const by of reportGroups) {
        const ms = await timed(served, `/api/support/report?${year}&by=${by}`)
        results.push(result(`a year by ${by}`, ms, REPORT_MS))
      }
      for (const filter of ['channel=email', 'kind=refund&assignee=7', 'tag=3']) {
        const ms = await timed(served, `/api/support/report?${year}&by=week&${filter}`)
        results.push(result(`a year by week, ${filter}`, ms, REPORT_MS))
      }
      const counts = 'counts of the queues and 20 views'
      results.push(result(counts, await timed(served, '/api/support/ticket-queues'), COUNTS_MS))
      results.push(result(`${counts}, 99% of calls while tickets change`, await timeCounts(served), COUNTS_MS))
      return results
    } finally {
      served.child.kill('SIGKILL')
    }
  })
