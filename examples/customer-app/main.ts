import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from './client.ts'
import { compareBooks } from './compare.ts'
import { startLimber } from './limber.ts'
import type { Zone } from './people.ts'
import { finish, type Play, playDay } from './play.ts'
import { pullCustomers } from './pull.ts'
import { listen, subscribe } from './receive.ts'
import { sendChanges } from './send.ts'
import { State } from './state.ts'
import { playYear } from './year.ts'

// npm run example: plays a customer product for a day, or with --year for a year. With LIMBER_URL and LIMBER_KEY it uses
// that Limber, otherwise one of its own. Killed, it goes on from where it was when started again with the same --data.

const { values: options } = parseArgs({
  options: {
    year: { type: 'boolean', default: false },
    seed: { type: 'string', default: 'busy' },
    // The last day that is over in California.
    day: { type: 'string', default: new Date(Date.now() - 32 * 60 * 60_000).toISOString().slice(0, 10) },
    seconds: { type: 'string', default: '60' },
    customers: { type: 'string' },
    stretchers: { type: 'string' },
    data: { type: 'string' },
    port: { type: 'string', default: '3470' },
    keep: { type: 'boolean', default: false },
  },
})
const port = Number(options.port)
const print = (line: string) => void process.stdout.write(`${line}\n`)

/** Plays, and tells whether both sides are equal at the end. */
async function run(client: Client, desk: Client | undefined, state: State): Promise<boolean> {
  const zones: Zone[] = []
  for await (const zone of client.walk('zones')) if (!zone.deleted_at) zones.push(zone as unknown as Zone)
  if (zones.length === 0) throw new Error('Limber has no zone yet. Add one: npm run limber -- zone import FILE')
  await subscribe(client, state, process.env.APP_URL ?? `http://127.0.0.1:${port}/hooks/limber`)
  // What we were killed with goes first. Then we see what happened while we were away.
  await sendChanges(client, state)
  await pullCustomers(client, state)

  const customers = Number(options.customers ?? (options.year ? 3000 : 200))
  const stretchers = Number(options.stretchers ?? (options.year ? 40 : 12))
  const { seed, day } = options
  const play: Play = { client, desk, state, zones, seed, day, customers, stretchers, print }
  if (options.year) await playYear(play)
  else await playDay({ ...play, seconds: Number(options.seconds) })
  await finish(play)

  const { counts, differences } = await compareBooks(client, state)
  const counted = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  print(`\nIn Limber: ${counted.join(', ')}.`)
  for (const line of differences.slice(0, 20)) print(`  ${line}`)
  print(differences.length === 0 ? 'Both sides are equal.' : `${differences.length} differences.`)
  return differences.length === 0
}

const { LIMBER_URL, LIMBER_KEY, LIMBER_DESK_KEY } = process.env
const own = LIMBER_URL ? undefined : await startLimber(port + 1)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void (own?.stop() ?? Promise.resolve()).finally(() => process.exit(130)))
const url = own?.url ?? LIMBER_URL ?? ''
const deskKey = own?.deskKey ?? LIMBER_DESK_KEY
const state = new State(options.data ?? join(own?.home ?? '.limber', 'example'))
try {
  await listen(state, port)
  const client = await Client.connect(url, own?.key ?? LIMBER_KEY ?? '')
  const isEqual = await run(client, deskKey ? await Client.connect(url, deskKey) : undefined, state)
  process.exitCode = isEqual ? 0 : 1
  if (own && options.keep) {
    print(own.welcome)
    await own.ended
  }
} catch (error) {
  print(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  state.close()
  await own?.stop()
  process.exit()
}
