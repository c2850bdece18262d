import { setTimeout as sleep } from 'node:timers/promises'
import { actOnWebhooks } from './act.ts'
import type { Client } from './client.ts'
import { planDay, planOpening } from './day.ts'
import { workAtDesk } from './desk.ts'
import type { Zone } from './people.ts'
import { seededRandom } from './random.ts'
import { sendChanges } from './send.ts'
import type { State } from './state.ts'

export interface Play {
  client: Client
  /** The front desk's, if it takes part. */
  desk: Client | undefined
  state: State
  zones: readonly Zone[]
  seed: string
  /** The last day, as 2026-11-17. */
  day: string
  customers: number
  stretchers: number
  print(line: string): void
}

/** How long a turn takes, unless the day is so short that it would have too few of them. */
const TURN = 2000
const MIN_TURNS = 10

/** One busy day, in turns: something happens, is sent, and what Limber told us is acted on. */
export async function playDay(play: Play & { seconds: number }): Promise<void> {
  const { client, desk, state, zones, seed, day, customers, stretchers, print } = play
  if (state.records.stretchers.size === 0)
    state.write({ put: planOpening(day, zones, customers, stretchers, seededRandom(`${seed} opening`)) })
  if (!state.plan) {
    const size = { zones, newCustomers: Math.ceil(customers / 20), newStretchers: 0, busy: 0.7 }
    const when = { isHistory: false, isLast: true }
    state.write({ plan: planDay(state, day, { ...size, ...when }, seededRandom(`${seed} ${day}`)) })
  }
  const plan = state.plan ?? []
  const turns = Math.max(MIN_TURNS, Math.round((play.seconds * 1000) / TURN))
  const perTurn = Math.ceil(plan.length / turns)
  while (state.played < plan.length) {
    const pause = sleep((play.seconds * 1000) / turns)
    state.write({ played: Math.min(state.played + perTurn, plan.length) })
    const sent = await sendChanges(client, state)
    if (desk) await workAtDesk(desk, state, client.source, seed, Math.ceil(state.played / perTurn))
    const acted = await actOnWebhooks(client, state)
    const time = plan[state.played - 1]?.at.slice(11, 16)
    print(`${time} UTC  ${String(sent).padStart(4)} records sent, ${acted} webhooks acted on`)
    await pause
  }
}

/** Sends and acts until neither side has anything left for the other. */
export async function finish({ client, state }: Play): Promise<void> {
  for (;;) {
    await sendChanges(client, state)
    await actOnWebhooks(client, state)
    if (!state.endpoint) return
    const path = `/webhooks/${state.endpoint.id}`
    const { items } = await client.call<{ items: unknown[] }>('GET', `${path}/deliveries?state=waiting&limit=1`)
    const isDone = [...state.received.values()].every((each) => each.isDone)
    if (items.length === 0 && isDone) return
    await client.call('POST', `${path}/redeliver`, { since: new Date(Date.now() - 24 * 60 * 60_000).toISOString() })
    await sleep(500)
  }
}
