import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client, RefusedError } from './client.ts'
import { compareBooks } from './compare.ts'
import { type OwnLimber, startLimber } from './limber.ts'
import type { Zone } from './people.ts'
import { finish, type Play, playDay } from './play.ts'
import { pullCustomers } from './pull.ts'
import { listen, subscribe } from './receive.ts'
import { sendChanges } from './send.ts'
import { State } from './state.ts'
import { playYear } from './year.ts'

// npm run example: plays a customer product for a day, or with --year for a year. With LIMBER_URL and LIMBER_KEY it uses that Limber, otherwise one of
// its own. Killed, it goes on from where it was when started with the same --data.

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: 'busy' },
    year: { type: 'boolean', default: false },
    day: { type: 'string', default: new Date(Date.now() - 24 * 60 * 60_000).toISOString().slice(0, 10) },
    seconds: { type: 'string', default: '60' },
    customers: { type: 'string' },
    stretchers: { type: 'string' },
    data: { type: 'string', default: '' },
    port: { type: 'string', default: '3470' },
    keep: { type: 'boolean', default: false },
  },
})
const print = (line: string) => void process.stdout.write(`${line}\n`)

const { LIMBER_URL, LIMBER_KEY, LIMBER_DESK_KEY, APP_URL } = process.env
const port = Number(options.port)
const own: OwnLimber | undefined = LIMBER_URL ? undefined : await startLimber(port + 1)
const url = own?.url ?? LIMBER_URL ?? ''
const deskKey = own?.deskKey ?? LIMBER_DESK_KEY
const client = await Client.connect(url, own?.key ?? LIMBER_KEY ?? '')
const state = new State(options.data || join(own?.home ?? '.limber', 'example'))
const server = await listen(state, port)
try {
  const zones: Zone[] = []
  for await (const zone of client.walk('zones')) if (!zone.deleted_at) zones.push(zone as unknown as Zone)
  if (zones.length === 0) throw new Error('Limber has no zone yet. Draw one first: Businesses, Zones, Add zone.')
  await subscribe(client, state, APP_URL ?? `http://127.0.0.1:${port}/hooks/limber`)
  await sendChanges(client, state)
  await pullCustomers(client, state)

  const play: Play = {
    client,
    desk: deskKey ? await Client.connect(url, deskKey) : undefined,
    state,
    zones,
    seed: options.seed,
    day: options.day,
    customers: Number(options.customers ?? (options.year ? 3000 : 200)),
    stretchers: Number(options.stretchers ?? (options.year ? 40 : 12)),
    print,
  }
  if (options.year) await playYear(play)
  else await playDay({ ...play, seconds: Number(options.seconds) })
  await finish(play)

  const { counts, differences } = await compareBooks(client, state)
  print(
    `\nIn Limber: ${Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}.`,
  )
  for (const line of differences.slice(0, 20)) print(`  ${line}`)
  print(differences.length === 0 ? 'Both sides are equal.' : `${differences.length} differences.`)
  process.exitCode = differences.length === 0 ? 0 : 1
  if (own && options.keep) {
    print(own.welcome)
    await own.ended
  }
} catch (error) {
  print(error instanceof RefusedError ? `Limber refused a call: ${error.message}` : String(error))
  process.exitCode = 1
} finally {
  server.close()
  server.closeAllConnections()
  state.close()
  await own?.stop()
}
