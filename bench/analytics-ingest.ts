import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import { load, type Target } from './measure.ts'
import type { Result } from './result.ts'

const ENOUGH = 20_000
const CORES = 2
const BATCHES = 120
const CONNECTIONS = 4

/** A server under measurement: how much processor time it has used, its database included. */
export interface Metered extends Target {
  cpu(): number
}

const batch = () => {
  const now = performance.timeOrigin + performance.now()
  const events = Array.from({ length: 1000 }, (_, place) => ({
    id: randomUUID(),
    user_id: 1 + Math.floor(Math.random() * 100_000),
    action_type: 'search',
    event_outcome: 'success',
    method: 'GET',
    url: `/api/stretchers/search?zone=riverside&page=${place}`,
    response_status: 200,
    response_time: Math.round(Math.random() * 20_000) / 100,
    ip_address: '203.0.113.9',
    createdAt: new Date(now - place * 20).toISOString(),
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
          : reject(new Error(`ingest answered ${reply.statusCode}: ${text}`)),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/**
 * Batches over HTTP, as fast as four connections take them. What counts is what two cores carry by the processor time
 * used, sender included: the rate by the clock is shown, and falls with whatever else runs here.
 */
export async function measureIngest(target: Metered, key: string): Promise<Result> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const waiting = Array.from({ length: BATCHES }, batch)
  for (let round = 0; round < 10; round++) await post(agent, target, key, batch())
  const [cpu, own, begun] = [target.cpu(), process.cpuUsage(), performance.now()]
  let accepted = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let body = waiting.pop(); body; body = waiting.pop()) {
        const taken = await post(agent, target, key, body)
        accepted += taken
      }
    }),
  )
  const seconds = (performance.now() - begun) / 1000
  const sender = process.cpuUsage(own)
  const used = target.cpu() - cpu + (sender.user + sender.system) / 1000
  agent.destroy()
  const carried = (accepted / used) * 1000 * CORES
  return {
    name: `ingest: ${formatInteger(ENOUGH)} events a second on two cores`,
    ratio: ENOUGH / carried,
    budget: 1,
    figure: `two cores carry ${formatInteger(Math.round(carried))}; ${formatInteger(Math.round(accepted / seconds))} a second by the clock, ${((used / accepted) * 1000).toFixed(0)} ms of processor per batch of 1,000`,
  }
}

/** The mean of the middle half. */
function middle(values: readonly number[]): number {
  const quarter = Math.floor(values.length / 4)
  const half = values.toSorted((a, b) => a - b).slice(quarter, values.length - quarter)
  return half.reduce((sum, value) => sum + value, 0) / half.length
}

const ROUNDS = 30

/**
 * What a call costs in processor time with and without being recorded, in turn and each first as often as the other, in one
 * process: two of the same make differ by more than recording costs. The middle half of the rounds: in some a checkpoint
 * or a schedule falls, which has nothing to do with either.
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
    // What was recorded is written and rolled up within four seconds; most of it sooner.
    await new Promise((done) => setTimeout(done, 2000))
    return (target.cpu() - before) / count
  }
  /** On, off, off, on: whatever grows or warms up meanwhile falls on both. */
  const measureBoth = async (isOnFirst: boolean) => {
    const first = await measure()
    switchRecording()
    const second = await measure()
    return isOnFirst ? { ours: first, bare: second } : { ours: second, bare: first }
  }
  await measure()
  const rounds: { ours: number; bare: number }[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureBoth(round % 2 === 0))
  const [ours, bare] = [middle(rounds.map((each) => each.ours)), middle(rounds.map((each) => each.bare))]
  return {
    name: 'recording our own calls',
    ratio: middle(rounds.map((each) => each.ours / each.bare)),
    budget: 1.03,
    figure: `${ours.toFixed(2)} ms of processor against ${bare.toFixed(2)} ms a call, over ${formatInteger(calls)} calls`,
  }
}
