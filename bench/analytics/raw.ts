import type pg from 'pg'

const spans = { hour: '1 hour', day: '1 day', week: '7 days', month: '30 days' } as const
const steps = { hour: '5 minutes', day: '1 hour', week: '3 hours', month: '1 day' } as const

/** The dashboard figures, computed from raw events with the best queries we know. */
export async function readRaw(client: pg.Client, timeframe: keyof typeof spans, filter: string) {
  const span = `interval '${spans[timeframe]}'`
  const condition = filter ? `and action_type = '${filter}'` : ''
  const current = `created_at >= now() - ${span} and created_at < now()`
  const previous = `created_at >= now() - 2 * ${span} and created_at < now() - ${span}`
  const figures = `count(*), count(distinct user_id), avg(response_time), count(*) filter (where event_outcome = 'failure')`
  await client.query(`select ${figures} from events where ${current} ${condition}`)
  await client.query(`select ${figures} from events where ${previous} ${condition}`)
  const points = (within: string) =>
    `select date_bin('${steps[timeframe]}', created_at, '2026-01-01'), count(*), count(distinct user_id), avg(response_time),
      count(*) filter (where event_outcome = 'failure') from events where ${within} ${condition} group by 1`
  await client.query(points(current))
  await client.query(points(previous))
  await client.query(`select action_type, count(*) from events where ${current} group by 1 order by 2 desc`)
  await client.query(
    `select path, count(*), avg(response_time), percentile_disc(0.95) within group (order by round(response_time))
     from events where ${current} ${condition} group by 1 order by 3 desc`,
  )
  await client.query(`select * from events where ${current} ${condition} order by created_at desc limit 10`)
}
