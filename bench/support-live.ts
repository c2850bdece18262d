import { Agent, get } from 'node:http'
import { median } from './measure.ts'
import type { Result } from './result.ts'
import type { Served } from './served.ts'

const STREAMS = 200
const MAX_DELAY_MS = 2_000
const CHANGES = 21
/** Maximum share of one core, with one change per second. */
const MAX_CPU_SHARE = 0.05

interface Round {
  pattern: string
  received: Set<number>
  done: (at: number) => void
}

/** Opens the live streams, and tells when all of them have received a change of a ticket. */
async function openStreams({ origin, headers }: Served) {
  const agent = new Agent({ maxSockets: STREAMS })
  let round: Round = { pattern: '\n', received: new Set(), done: () => {} }
  const open = (index: number) =>
    new Promise<void>((resolve, reject) => {
      const request = get(`${origin}/api/live`, { agent, headers }, (reply) => {
        if (reply.statusCode !== 200) return reject(new Error(`The live stream returned ${reply.statusCode}`))
        let tail = ''
        reply.setEncoding('utf8')
        reply.on('data', (text: string) => {
          tail = (tail + text).slice(-500)
          // The first data shows that the stream is open.
          resolve()
          if (!tail.includes(round.pattern) || round.received.has(index)) return
          tail = ''
          round.received.add(index)
          if (round.received.size === STREAMS) round.done(performance.now())
        })
      })
      request.on('error', reject)
    })
  await Promise.all(Array.from({ length: STREAMS }, (_, index) => open(index)))
  return {
    receivedBy: (ticket: number) =>
      new Promise<number>((done) => {
        round = { pattern: `"ticket":${ticket},`, received: new Set(), done }
      }),
    close: () => agent.destroy(),
  }
}

/** Makes changes one after another: how soon all streams receive each one, and the CPU time of server and database. */
export async function measureLive(served: Served, cpu: () => number): Promise<Result[]> {
  const streams = await openStreams(served)
  const times: number[] = []
  let before = 0
  for (let ticket = 1; ticket <= CHANGES; ticket += 1) {
    // The first one warms up compiled code.
    if (ticket === 2) before = cpu()
    const received = streams.receivedBy(ticket)
    const startedAt = performance.now()
    const { status } = await served.call(`/api/support/tickets/${ticket}/status`, { status: 'in_progress' }, 'PATCH')
    if (status !== 200) throw new Error(`The change returned ${status}`)
    times.push((await received) - startedAt)
  }
  const spent = (cpu() - before) / (CHANGES - 1)
  streams.close()
  const [middle, worst] = [median(times.slice(1)), Math.max(...times.slice(1))]
  return [
    {
      name: `a change reaches ${STREAMS} live streams`,
      ratio: worst / MAX_DELAY_MS,
      budget: 1,
      figure: `${middle.toFixed(0)} ms median, ${worst.toFixed(0)} ms max, of ${MAX_DELAY_MS} ms`,
    },
    {
      name: 'CPU share of one change per second',
      ratio: spent / 1_000 / MAX_CPU_SHARE,
      budget: 1,
      figure: `${(spent / 10).toFixed(1)}% of ${MAX_CPU_SHARE * 100}% (${spent.toFixed(0)} ms of server and database)`,
    },
  ]
}
