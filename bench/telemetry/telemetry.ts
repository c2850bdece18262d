import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import type pg from 'pg'
import { formatInteger } from '../../contract/src/kit/formats/numbers.ts'
import { interquartileMean, load, type Target } from '../measure.ts'
import type { Result } from '../result.ts'
import { deployed, SECRET, signInWorker, withDatabase } from '../served.ts'

const PORT = 3831
const ROUNDS = 40
const ROUND_MS = 1_000
/** How often Prometheus asks by default, in milliseconds. */
const SCRAPE_EVERY = 60_000
const SCRAPES = 20
/** Without telemetry twice: what starts first in a process is a little faster, whatever it does. */
const FORMS = ['off', 'traces of a tenth', 'traces of all', 'metrics', 'off again'] as const
type Form = (typeof FORMS)[number]
const METRICS = { authorization: 'Bearer bench-metrics-0123456789' }
const PATHS = ['/api/auth/check', '/api/support/users?limit=20&status=active', '/api/support/tickets?limit=20']

/** A collector that takes what it gets. */
async function startCollector() {
  const received = { spans: 0 }
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      received.spans += body.split('"spanId"').length - 1
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { received, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function measure(databaseUrl: string, data: pg.Client): Promise<Result[]> {
  await data.query(
    `insert into customers (first_name, last_name, email, joined_at, last_login_at)
     select 'Ada', 'Okafor' || n, 'user' || n || '@example.com', now() - n * interval '1 minute', now() from generate_series(1, 1000) n`,
  )
  const token = await signInWorker(data, '{5,21}')
  const collector = await startCollector()
  const child = fork(join(import.meta.dirname, 'server.ts'), {
    execArgv: deployed,
    env: {
      ...process.env,
      PORT: String(PORT),
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: `http://localhost:${PORT}`,
      SECRET_KEY: SECRET,
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    },
  })
  try {
    await once(child, 'message')
    const targets = FORMS.map((name, at): Target => {
      return { name, port: PORT + at, headers: { cookie: `sid=${token}`, accept: 'application/json' } }
    })
    let calls = 0
    const cpu = async () => {
      child.send('cpu')
      const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage]
      return (user + system) / 1_000
    }
    const cost = async (target: Target) => {
      const before = await cpu()
      const { count } = await load(target, PATHS, 8, ROUND_MS)
      calls += count
      return ((await cpu()) - before) / count
    }
    for (const target of targets) await cost(target)
    const rounds: Record<Form, number>[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const found = new Map<string, number>()
      // Each is first as often as it is last, so that growth and warm-up affect all equally.
      const turn = round % 2 ? targets.toReversed() : targets
      for (const target of turn) found.set(target.name, await cost(target))
      rounds.push(Object.fromEntries(found) as Record<Form, number>)
    }
    if (collector.received.spans < calls / 4) throw new Error('The collector got too few spans.')
    const before = await cpu()
    for (let n = 0; n < SCRAPES; n++)
      await (await fetch(`http://127.0.0.1:${PORT + FORMS.indexOf('metrics')}/metrics`, { headers: METRICS })).text()
    const scrape = ((await cpu()) - before) / SCRAPES
    const offOf = (each: Record<Form, number>) => (each.off + each['off again']) / 2
    const off = interquartileMean(rounds.map(offOf))
    return [
      ...FORMS.slice(1, -1).map((name) => ({
        name: `${name}, processor time of a call`,
        ratio: interquartileMean(rounds.map((each) => each[name] / offOf(each))),
        // Nobody should record all of them; it shows what a recorded call costs.
        budget: name === 'traces of all' ? 1.3 : 1.03,
        figure: `${interquartileMean(rounds.map((each) => each[name])).toFixed(3)} ms of CPU against ${off.toFixed(3)} ms, over ${formatInteger(calls)} calls; ${formatInteger(collector.received.spans)} spans`,
      })),
      {
        name: 'a scrape a minute, share of a core',
        ratio: scrape / SCRAPE_EVERY,
        budget: 0.001,
        figure: `${scrape.toFixed(1)} ms of CPU`,
      },
    ]
  } finally {
    child.kill('SIGKILL')
    collector.server.close()
  }
}

/** What traces and metrics add to the processor time of a call. */
export const benchTelemetry = (): Promise<Result[]> => withDatabase('telemetry', measure)
