import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import pg from 'pg'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import { startTestPostgres } from '../server/src/embedded/for-tests.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { hashToken, randomToken } from '../server/src/platform/security/secrets.ts'
import { silentLog } from '../server/src/platform/telemetry/log.ts'
import { median } from './measure.ts'
import type { Result } from './result.ts'

const root = join(import.meta.dirname, '..')
const PORT = 3806
const LIMIT_PORT = 3807
const LEADS = Number(process.env.BENCH_LEADS ?? 100_000)
const ROUNDS = 31

/** A year of leads with three steps each. */
async function fill(data: pg.Client): Promise<string> {
  await data.query(`insert into workers (id, email, name, permissions, handle, status, created_at)
    overriding system value values (1, 'bench@example.com', 'Bench', '{4}', '\\x01', 'active', now())`)
  await data.query(`insert into campaigns (id, name, source, start_date, created_at, updated_at)
    select n, 'Campaign ' || n, 'google_ads', current_date - 365, now(), now() from generate_series(1, 20) n`)
  await data.query(`insert into leads (id, first_name, last_name, email, source, campaign_id, status, farthest, assignee_id, created_at, updated_at,
      status_since, first_response_at, converted_at)
    select n, 'Lead', 'Number' || n, 'lead' || n || '@example.com', (array['website', 'google_ads', 'event'])[1 + n % 3], 1 + n % 20,
      s.status, (array[4, 5, 3, 3])[1 + n % 4], 1, s.at, s.at, s.at + interval '3 hours', s.at + interval '1 hour', case when s.status = 'converted' then s.at + interval '3 hours' end
    from generate_series(1, ${LEADS}) n,
      lateral (select (array['contacted', 'converted', 'not_interested', 'onboarding_started'])[1 + n % 4] as status,
        now() - (n::float8 / ${LEADS} * interval '364 days') - interval '4 hours' as at) s`)
  await data.query(`insert into lead_steps (lead_id, lead_created_at, status, entered_at, left_at)
    select id, created_at, 'new', created_at, first_response_at from leads
    union all select id, created_at, 'onboarding_completed', first_response_at, status_since from leads
    union all select id, created_at, status, status_since, null from leads`)
  const token = randomToken()
  await data.query(
    `insert into sessions (token_hash, worker_id, created_at, last_seen_at) values ($1, 1, now(), now())`,
    [hashToken(token)],
  )
  await data.query('vacuum analyze')
  return token
}

const leadColumns = `l.id, l.first_name, l.last_name, l.email, l.phone, l.source, l.campaign_id, k.name as campaign, l.status, l.created_at,
  l.status_since, l.first_response_at, l.converted_at, l.lost_reason, l.version, w.id as assignee_id, w.name as assignee,
  (select coalesce(jsonb_agg(n.content), '[]') from (select content from lead_notes where lead_id = l.id order by id desc limit 5) n) as notes`

/** The limit: a bare server with hand-written SQL, one session lookup per request, and the same replies. */
function openLimit(pool: pg.Pool): Promise<Server> {
  const query = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values })
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://limit')
    const token = /sid=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    await query(
      'session',
      'select w.permissions from sessions s join workers w on w.id = s.worker_id where s.token_hash = $1',
      [hashToken(token)],
    )
    const search = url.searchParams.get('search')
    const counts = await query('counts', 'select status, count(*)::int as count from leads group by status', [])
    const total = search
      ? await query('total', 'select count(*)::int as count from leads where search_text like $1', [`%${search}%`])
      : undefined
    const source = search
      ? '(with m as materialized (select id, created_at from leads where search_text like $1) select * from m)'
      : '(select id, created_at from leads where $1::text is null)'
    const page = await query(
      search ? 'found' : 'page',
      `select ${leadColumns} from (select id from ${source} m order by created_at desc, id desc limit 50) p
        join leads l on l.id = p.id left join campaigns k on k.id = l.campaign_id left join workers w on w.id = l.assignee_id
        order by l.created_at desc, l.id desc`,
      [search ? `%${search}%` : null],
    )
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ leads: page.rows, stats: counts.rows, total: total?.rows[0]?.count ?? LEADS }))
  }
  const server = createServer((request, response) => void handle(request, response))
  return new Promise((ready) => server.listen(LIMIT_PORT, '127.0.0.1', () => ready(server)))
}

async function launch(databaseUrl: string): Promise<ChildProcess> {
  const origin = `http://localhost:${PORT}`
  const child = spawn(process.execPath, [join(root, 'server/dist/main.js')], {
    env: {
      ...process.env,
      PORT: String(PORT),
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: origin,
      SECRET_KEY: 'bench-0123456789-abcdefghijklmnopqrstuvwxyz',
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const isUp = () =>
    fetch(`${origin}/healthz`).then(
      (reply) => reply.ok,
      () => false,
    )
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error('The server did not start')
    await new Promise((done) => setTimeout(done, 20))
  }
  return child
}

interface Answer {
  leads?: { id: number }[]
}

const makeAsk = (origin: string, token: string) => async (path: string) => {
  const startedAt = performance.now()
  const reply = await fetch(origin + path, { headers: { cookie: `sid=${token}`, accept: 'application/json' } })
  const json = (await reply.json()) as Answer
  if (reply.status !== 200) throw new Error(`${path} returned ${reply.status}`)
  return { ms: performance.now() - startedAt, json }
}

/** Our server and the limit in turns, on one database. Both must return the same leads. */
async function compare(
  name: string,
  path: string,
  budget: number,
  asks: ReturnType<typeof makeAsk>[],
): Promise<Result> {
  const times: number[][] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    const replies = [await asks[0]?.(path), await asks[1]?.(path)]
    const [ours, limit] = replies.map((reply) => reply?.json.leads?.map(({ id }) => id).join())
    if (!ours || ours !== limit) throw new Error(`${path}: the two servers disagree`)
    for (const [index, reply] of replies.entries()) if (round > 0) times[index]?.push(reply?.ms ?? 0)
  }
  const [ours = 0, limit = 1] = times.map(median)
  return { name, ratio: ours / limit, budget, figure: `${ours.toFixed(1)} ms against ${limit.toFixed(1)} ms` }
}

/** Figures of a year against those of a week. The cost may grow with the number of leads in the range, not faster. */
async function measureFigures(ask: ReturnType<typeof makeAsk>): Promise<Result[]> {
  const results: Result[] = []
  for (const call of ['analytics', 'funnel']) {
    const times: Record<string, number[]> = { '7d': [], '1y': [] }
    for (let round = 0; round < 9; round++)
      for (const range of ['7d', '1y']) times[range]?.push((await ask(`/api/marketing/${call}?timeRange=${range}`)).ms)
    const [week, year] = [median(times['7d'] ?? []), median(times['1y'] ?? [])]
    results.push({
      name: `lead ${call} of a year, against a week`,
      ratio: year / week,
      budget: Math.round(365 / 7),
      figure: `${year.toFixed(0)} ms against ${week.toFixed(1)} ms`,
    })
  }
  return results
}

/** Measures lists and figures of leads. */
export async function benchMarketing(): Promise<Result[]> {
  const postgres = await startTestPostgres()
  const admin = new pg.Client({ connectionString: postgres.adminUrl })
  await admin.connect()
  await admin.query('create database marketing')
  const url = new URL(postgres.adminUrl)
  url.pathname = '/marketing'
  await migrate(url.href, silentLog)
  const data = new pg.Client({ connectionString: url.href })
  await data.connect()
  const token = await fill(data)
  const pool = new pg.Pool({ connectionString: url.href, max: 8 })
  const limit = await openLimit(pool)
  const child = await launch(url.href)
  const ours = makeAsk(`http://localhost:${PORT}`, token)
  const asks = [ours, makeAsk(`http://127.0.0.1:${LIMIT_PORT}`, token)]
  try {
    return [
      await compare(`newest 50 of ${formatInteger(LEADS)} leads`, '/api/marketing/leads', 1.5, asks),
      await compare(`a search in ${formatInteger(LEADS)} leads`, '/api/marketing/leads?search=number777', 1.5, asks),
      ...(await measureFigures(ours)),
    ]
  } finally {
    child.kill('SIGKILL')
    limit.close()
    await pool.end()
    await data.end()
    await admin.end()
    await postgres.stop()
  }
}
