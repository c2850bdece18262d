import type pg from 'pg'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import { median } from './measure.ts'
import type { Result } from './result.ts'
import { type Served, serveOurs, signInWorker, withDatabase } from './served.ts'

const PORT = 3809
const ROUNDS = 25
const SMALL_GROUPS = 20
const LARGE_GROUPS = 400
const PER_GROUP = 1000
const WAITING = 20_000
const WANTED_RATE = 2000

/** Groups with a month of failures each, and their counts. */
async function addGroups(data: pg.Client, from: number, to: number) {
  const groups = `generate_series(${from}, ${to}) g`
  await data.query(`insert into error_groups (source, method, path, status, first_seen_at, last_seen_at, total, newest_text)
    select 'staff', 'GET', '/api/things/' || g, 400 + g % 104, now() - interval '30 days', now(), ${PER_GROUP}, 'It failed' from ${groups}`)
  const ids = `(select id, row_number() over (order by id) as n from error_groups where path ~ '^/api/things/' ) i`
  await data.query(`insert into event_failures (event_id, at, source, method, url, path, status, ms, group_id)
    select gen_random_uuid(), now() - k * interval '40 minutes', 'staff', 'GET', '/api/things', '/api/things', 400, 3, i.id
    from ${ids}, generate_series(1, ${PER_GROUP}) k where i.n between ${from} and ${to}`)
  await data.query(`insert into error_counts (group_id, tier, at, count)
    select group_id, 1, date_trunc('hour', at), count(*) from event_failures where group_id in
      (select i.id from ${ids} where i.n between ${from} and ${to}) group by 1, 3`)
  await data.query(`insert into error_people (group_id, person, last_at)
    select i.id, k, now() - k * interval '1 hour' from ${ids}, generate_series(1, 50) k where i.n between ${from} and ${to}`)
  await data.query('vacuum analyze')
}

async function cost(server: Served, path: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { status, ms } = await server.call(path)
    if (status !== 200) throw new Error(`${path} returned ${status}`)
    times.push(ms)
  }
  return median(times)
}

/** How fast a burst of failures is grouped. */
async function measureGrouping(data: pg.Client): Promise<Result> {
  const startedAt = performance.now()
  await data.query(`insert into event_failures (event_id, at, source, method, url, path, status, ms)
    select gen_random_uuid(), now(), 'staff', 'POST', '/api/storm', '/api/storm/' || n % 50, 500, 3 from generate_series(1, ${WAITING}) n`)
  for (let waiting = WAITING; waiting > 0; ) {
    await new Promise((done) => setTimeout(done, 50))
    const { rows } = await data.query<{ count: string }>('select count(*) from event_failures where group_id is null')
    waiting = Number(rows[0]?.count)
  }
  const seconds = (performance.now() - startedAt) / 1000
  const rate = WAITING / seconds
  return {
    name: `${formatInteger(WAITING)} failures grouped`,
    ratio: WANTED_RATE / rate,
    budget: 1,
    figure: `${rate.toFixed(0)} per second of ${WANTED_RATE}; ${seconds.toFixed(1)} s`,
  }
}

/** Measures the error log with large data: a page, one group, and a burst of failures. */
export const benchErrorLog = () =>
  withDatabase('errors', async (url, data): Promise<Result[]> => {
    await addGroups(data, 1, SMALL_GROUPS)
    const server = await serveOurs(PORT, url, await signInWorker(data, '{92}'))
    try {
      const [page, group] = ['/api/tech/errors?timeframe=month', '/api/tech/errors/7/occurrences?limit=20'] as const
      await cost(server, page)
      const few = [await cost(server, page), await cost(server, group)]
      await addGroups(data, SMALL_GROUPS + 1, LARGE_GROUPS)
      const many = [await cost(server, page), await cost(server, group)]
      const line = (name: string, n: number, budget: number): Result => ({
        name: `${name}, ${SMALL_GROUPS} groups to ${LARGE_GROUPS}`,
        ratio: (many[n] ?? 0) / (few[n] ?? 1),
        budget,
        figure: `${few[n]?.toFixed(1)} ms to ${many[n]?.toFixed(1)} ms`,
      })
      return [
        line('a page of the error log over a month', 0, 12),
        line('the occurrences of one group', 1, 2),
        await measureGrouping(data),
      ]
    } finally {
      server.child.kill('SIGKILL')
    }
  })
