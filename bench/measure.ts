import { Agent, request } from 'node:http'

export interface Target {
  name: string
  port: number
  headers: Record<string, string>
}

export interface Round {
  /** Milliseconds of one request, all connections busy: time divided by the requests answered, times connections. */
  cost: number
  p50: number
  p99: number
  /** How many requests were answered. */
  count: number
}

/** What is sent: a path to read, or more than that. */
export type Asking = string | { path: string; method: string; headers?: Record<string, string>; body: object }

/** The text that is answered. */
export const ask = (agent: Agent, { port, headers }: Target, asking: Asking) =>
  new Promise<string>((resolve, reject) => {
    const { path, method, body, ...more } =
      typeof asking === 'string' ? { path: asking, method: 'GET', body: undefined } : asking
    const text = body && JSON.stringify(body)
    const all = {
      ...headers,
      ...('headers' in more && more.headers),
      ...(text && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    }
    const sent = request({ agent, port, host: '127.0.0.1', path, method, headers: all }, (reply) => {
      let answered = ''
      reply.setEncoding('utf8')
      reply.on('data', (chunk: string) => {
        answered += chunk
      })
      reply.on('end', () =>
        reply.statusCode === 200
          ? resolve(answered)
          : reject(new Error(`${path} answered ${reply.statusCode}: ${answered.slice(0, 200)}`)),
      )
    })
    sent.on('error', reject)
    sent.end(text)
  })

/** One answer, for comparing what both sides say. */
export const answer = async (target: Target, asking: Asking): Promise<unknown> => {
  const agent = new Agent()
  const text = await ask(agent, target, asking)
  agent.destroy()
  return JSON.parse(text)
}

/** Keeps so many connections busy for so long, walking through the paths, or with what the next of all requests is to be. */
export async function load(
  target: Target,
  paths: readonly string[] | ((n: number) => Asking),
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
        const begun = performance.now()
        await ask(agent, target, next(n++))
        times.push(performance.now() - begun)
      }
    }),
  )
  const elapsed = performance.now() - start
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { cost: elapsed / times.length, p50: at(0.5), p99: at(0.99), count: times.length }
}

export const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** A, B, A, B: both under the same conditions, so that what else the machine does falls on both. */
export async function sideBySide(
  ours: Target,
  limit: Target,
  paths: Parameters<typeof load>[1],
  { rounds = 5, connections = 8, ms = 2000 } = {},
) {
  const seen: { ours: Round; limit: Round }[] = []
  for (const target of [ours, limit]) await load(target, paths, connections, ms / 2)
  for (let i = 0; i < rounds; i++)
    seen.push({ ours: await load(ours, paths, connections, ms), limit: await load(limit, paths, connections, ms) })
  const ratios = seen.map((round) => round.ours.cost / round.limit.cost)
  return {
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)] as const,
    ours: median(seen.map((round) => round.ours.cost)),
    limit: median(seen.map((round) => round.limit.cost)),
    p50: median(seen.map((round) => round.ours.p50)),
    p99: median(seen.map((round) => round.ours.p99)),
  }
}
