import { Agent, request } from 'node:http'

export interface Target {
  name: string
  port: number
  headers: Record<string, string>
}

export interface Round {
  /** Elapsed milliseconds divided by the number of requests, with all connections busy. */
  cost: number
  p50: number
  p99: number
  /** Number of requests. */
  count: number
}

/** A path for GET, or a complete request. */
export type RequestSpec = string | { path: string; method: string; headers?: Record<string, string>; body: object }

/** Sends a request and returns the body of the reply. */
export const ask = (agent: Agent, { port, headers }: Target, spec: RequestSpec) =>
  new Promise<string>((resolve, reject) => {
    const { path, method, body, ...more } =
      typeof spec === 'string' ? { path: spec, method: 'GET', body: undefined } : spec
    const text = body && JSON.stringify(body)
    const all = {
      ...headers,
      ...('headers' in more && more.headers),
      ...(text && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    }
    const sent = request({ agent, port, host: '127.0.0.1', path, method, headers: all }, (reply) => {
      let received = ''
      reply.setEncoding('utf8')
      reply.on('data', (chunk: string) => {
        received += chunk
      })
      reply.on('end', () =>
        reply.statusCode === 200
          ? resolve(received)
          : reject(new Error(`${path} returned ${reply.statusCode}: ${received.slice(0, 200)}`)),
      )
    })
    sent.on('error', reject)
    sent.end(text)
  })

/** The parsed reply of one request, to compare both sides. */
export const fetchJson = async (target: Target, spec: RequestSpec): Promise<unknown> => {
  const agent = new Agent()
  const text = await ask(agent, target, spec)
  agent.destroy()
  return JSON.parse(text)
}

/** Keeps the connections busy for a time, cycling through the paths or asking for the nth request. */
export async function load(
  target: Target,
  paths: readonly string[] | ((n: number) => RequestSpec),
  connections: number,
  ms: number,
): Promise<Round> {
  const next = typeof paths === 'function' ? paths : (n: number) => paths[n % paths.length] ?? '/'
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  const start = performance.now()
  let n = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() - start < ms) {
        const startedAt = performance.now()
        await ask(agent, target, next(n++))
        times.push(performance.now() - startedAt)
      }
    }),
  )
  const elapsed = performance.now() - start
  agent.destroy()
  const [p50, p99] = [median(times), quantile(times, 0.99)]
  return { cost: elapsed / times.length, p50, p99, count: times.length }
}

/** The value that this share of the values is below. */
export const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0

export const median = (values: readonly number[]) => quantile(values, 0.5)

/** The mean of the middle half. */
export function interquartileMean(values: readonly number[]): number {
  const quarter = Math.floor(values.length / 4)
  const half = values.toSorted((a, b) => a - b).slice(quarter, values.length - quarter)
  return half.reduce((sum, value) => sum + value, 0) / half.length
}

/** Measures A, B, A, B, so that other load on the machine affects both. */
export async function sideBySide(
  ours: Target,
  limit: Target,
  paths: Parameters<typeof load>[1],
  { rounds = 5, connections = 8, ms = 2000 } = {},
) {
  const measured: { ours: Round; limit: Round }[] = []
  for (const target of [ours, limit]) await load(target, paths, connections, ms / 2)
  for (let i = 0; i < rounds; i++)
    measured.push({ ours: await load(ours, paths, connections, ms), limit: await load(limit, paths, connections, ms) })
  const ratios = measured.map((round) => round.ours.cost / round.limit.cost)
  return {
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)] as const,
    ours: median(measured.map((round) => round.ours.cost)),
    limit: median(measured.map((round) => round.limit.cost)),
    p50: median(measured.map((round) => round.ours.p50)),
    p99: median(measured.map((round) => round.ours.p99)),
  }
}
