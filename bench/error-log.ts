import type pg from 'pg'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import { median } from './measure.ts'
import type { Result } from './result.ts'
import { type Served, serveOurs, signInWorker, withDatabase } from './served.ts'

const PORT = 3809
const ROUNDS = 25
const FEW_GROUPS = 20
const MANY_GROUPS = 400
const PER_GROUP = 1000
const WAITING = 20_000
const FILED_A_SECOND = 2000

/** Groups with a month of failures each, and all that is counted of them. */
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
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    times.push(ms)
  }
  return median(times)
}

/** Failures that come all at once are in their groups before long. */
async function measureFiling(data: pg.Client): Promise<Result> {
  const begun = performance.now()
  await data.query(`insert into event_failures (event_id, at, source, method, url, path, status, ms)
    select gen_random_uuid(), now(), 'staff', 'POST', '/api/storm', '/api/storm/' || n % 50, 500, 3 from generate_series(1, ${WAITING}) n`)
  for (let waiting = WAITING; waiting > 0; ) {
    await new Promise((done) => setTimeout(done, 50))
    const { rows } = await data.query<{ count: string }>('select count(*) from event_failures where group_id is null')
    waiting = Number(rows[0]?.count)
  }
  const seconds = (performance.now() - begun) / 1000
  const rate = WAITING / seconds
  return {
    name: `${formatInteger(WAITING)} failures filed into their groups`,
    ratio: FILED_A_SECOND / rate,
    budget: 1,
    figure: `${rate.toFixed(0)} a second of ${FILED_A_SECOND}; ${seconds.toFixed(1)} s`,
  }
}

/** The error log at size: a page, one group, and a storm of failures. */
export const benchErrorLog = () =>
  withDatabase('errors', async (url, data): Promise<Result[]> => {
    await addGroups(data, 1, FEW_GROUPS)
    const server = await serveOurs(PORT, url, await signInWorker(data, '{92}'))
    try {
      const [page, group] = ['/api/tech/errors?timeframe=month', '/api/tech/errors/7/occurrences?limit=20'] as const
      await cost(server, page)
      const few = [await cost(server, page), await cost(server, group)]
      await addGroups(data, FEW_GROUPS + 1, MANY_GROUPS)
      const many = [await cost(server, page), await cost(server, group)]
      const line = (name: string, n: number, budget: number): Result => ({
        name: `${name}, ${FEW_GROUPS} groups to ${MANY_GROUPS}`,
        ratio: (many[n] ?? 0) / (few[n] ?? 1),
        budget,
        figure: `${few[n]?.toFixed(1)} ms to ${many[n]?.toFixed(1)} ms`,
      })
      return [
        line('a page of the error log over a month', 0, 12),
        line('the occurrences of one group', 1, 2),
        await measureFiling(data),
      ]
    } finally {
      server.child.kill('SIGKILL')
    }
  })
