import { Agent, get } from 'node:http'
import { median } from './measure.ts'
import type { Result } from './result.ts'
import type { Served } from './served.ts'

const STREAMS = 200
const HEARD_WITHIN_MS = 2_000
const CHANGES = 21
/** Of one core, when something changes every second. */
const SHARE = 0.05

interface Round {
  words: string
  heard: Set<number>
  done: (at: number) => void
}

/** So many people at the desk; says when the last of them has heard of a ticket. */
async function openDesk({ origin, headers }: Served) {
  const agent = new Agent({ maxSockets: STREAMS })
  let round: Round = { words: '\n', heard: new Set(), done: () => {} }
  const open = (place: number) =>
    new Promise<void>((resolve, reject) => {
      const request = get(`${origin}/api/live`, { agent, headers }, (reply) => {
        if (reply.statusCode !== 200) return reject(new Error(`The live stream answered ${reply.statusCode}`))
        let tail = ''
        reply.setEncoding('utf8')
        reply.on('data', (text: string) => {
          tail = (tail + text).slice(-500)
          // The first words say that the stream is open.
          resolve()
          if (!tail.includes(round.words) || round.heard.has(place)) return
          tail = ''
          round.heard.add(place)
          if (round.heard.size === STREAMS) round.done(performance.now())
        })
      })
      request.on('error', reject)
    })
  await Promise.all(Array.from({ length: STREAMS }, (_, place) => open(place)))
  return {
    heardOf: (ticket: number) =>
      new Promise<number>((done) => {
        round = { words: `"ticket":${ticket},`, heard: new Set(), done }
      }),
    close: () => agent.destroy(),
  }
}

/** Changes one after another: how soon everybody at the desk hears of each, and what it costs server and database. */
export async function measureLive(served: Served, cpu: () => number): Promise<Result[]> {
  const desk = await openDesk(served)
  const times: number[] = []
  let before = 0
  for (let ticket = 1; ticket <= CHANGES; ticket += 1) {
    // The first one fills the caches of compiled code.
    if (ticket === 2) before = cpu()
    const heard = desk.heardOf(ticket)
    const begun = performance.now()
    const { status } = await served.call(`/api/support/tickets/${ticket}/status`, { status: 'in_progress' }, 'PATCH')
    if (status !== 200) throw new Error(`The change answered ${status}`)
    times.push((await heard) - begun)
  }
  const spent = (cpu() - before) / (CHANGES - 1)
  desk.close()
  const [middle, worst] = [median(times.slice(1)), Math.max(...times.slice(1))]
  return [
    {
      name: `a change heard on ${STREAMS} live streams`,
      ratio: worst / HEARD_WITHIN_MS,
      budget: 1,
      figure: `${middle.toFixed(0)} ms in the middle, ${worst.toFixed(0)} ms at worst, of ${HEARD_WITHIN_MS} ms until the last`,
    },
    {
      name: 'what such a change each second costs of a core',
      ratio: spent / 1_000 / SHARE,
      budget: 1,
      figure: `${(spent / 10).toFixed(1)}% of ${SHARE * 100} % (${spent.toFixed(0)} ms of server and database)`,
    },
  ]
}
