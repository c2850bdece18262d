import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { formatInteger } from '../../contract/src/kit/formats/numbers.ts'
import { interquartileMean, load, type Target } from '../measure.ts'
import type { Result } from '../result.ts'

const WANTED_RATE = 20_000
const CORES = 2
const BATCHES = 120
const CONNECTIONS = 4

/** A measured server, with the CPU time used by it and its database. */
export interface Metered extends Target {
  /** In milliseconds. */
  cpu(): number
}

const batch = () => {
  const now = performance.timeOrigin + performance.now()
  const events = Array.from({ length: 1000 }, (_, index) => ({
    id: randomUUID(),
    user_id: 1 + Math.floor(Math.random() * 100_000),
    action_type: 'search',
    event_outcome: 'success',
    method: 'GET',
    url: `/api/stretchers/search?zone=riverside&page=${index}`,
    response_status: 200,
    response_time: Math.round(Math.random() * 20_000) / 100,
    ip_address: '203.0.113.9',
    createdAt: new Date(now - index * 20).toISOString(),
  }))
  return JSON.stringify({ events })
}

function post(agent: Agent, { port }: Target, key: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-ingest-key': key,
    }
    const path = '/api/analytics/events'
    const sent = request({ agent, port, host: '127.0.0.1', method: 'POST', path, headers }, (reply) => {
      let text = ''
      reply.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      reply.on('end', () =>
        reply.statusCode === 200
          ? resolve(JSON.parse(text).accepted)
          : reject(new Error(`ingest returned ${reply.statusCode}: ${text}`)),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/**
 * Sends batches over HTTP on four connections. The result is the rate that two cores can handle, computed from the CPU
 * time used, sender included. The wall-clock rate is shown too, but depends on what else runs on the machine.
 */
export async function measureIngest(target: Metered, key: string): Promise<Result> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const batches = Array.from({ length: BATCHES }, batch)
  for (let round = 0; round < 10; round++) await post(agent, target, key, batch())
  const [cpu, own, startedAt] = [target.cpu(), process.cpuUsage(), performance.now()]
  let accepted = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let body = batches.pop(); body; body = batches.pop()) {
        // Not `accepted += await …`, which would lose updates of the other connections.
        const count = await post(agent, target, key, body)
        accepted += count
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const sender = process.cpuUsage(own)
  const used = target.cpu() - cpu + (sender.user + sender.system) / 1000
  agent.destroy()
  const capacity = (accepted / used) * 1000 * CORES
  return {
    name: `ingest: ${formatInteger(WANTED_RATE)} events per second on two cores`,
    ratio: WANTED_RATE / capacity,
    budget: 1,
    figure: `two cores handle ${formatInteger(Math.round(capacity))}; ${formatInteger(Math.round(accepted / seconds))} per second wall-clock, ${((used / accepted) * 1000).toFixed(0)} ms of CPU per batch of 1,000`,
  }
}

const ROUNDS = 30

/**
 * The CPU time of a call with and without recording, measured in turns. In one process, because two processes differ by
 * more than recording costs. Uses the middle half of the rounds, because checkpoints and schedules disturb some of them.
 */
export async function measureRecording(
  target: Metered,
  switchRecording: () => void,
  paths: readonly string[],
): Promise<Result> {
  let calls = 0
  const measure = async () => {
    const before = target.cpu()
    const { count } = await load(target, paths, 8, 2000)
    calls += count
    // Recorded events are written and rolled up within four seconds, most of them sooner.
    await new Promise((done) => setTimeout(done, 2000))
    return (target.cpu() - before) / count
  }
  /** On, off, off, on: growth and warm-up affect both sides equally. */
  const measureBoth = async (isOnFirst: boolean) => {
    const first = await measure()
    switchRecording()
    const second = await measure()
    return isOnFirst ? { ours: first, bare: second } : { ours: second, bare: first }
  }
  await measure()
  const rounds: { ours: number; bare: number }[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureBoth(round % 2 === 0))
  const [ours, bare] = [
    interquartileMean(rounds.map((each) => each.ours)),
    interquartileMean(rounds.map((each) => each.bare)),
  ]
  return {
    name: 'recording our own calls',
    ratio: interquartileMean(rounds.map((each) => each.ours / each.bare)),
    budget: 1.03,
    figure: `${ours.toFixed(2)} ms of CPU against ${bare.toFixed(2)} ms per call, over ${formatInteger(calls)} calls`,
  }
}
