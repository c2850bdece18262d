import type { Client } from './client.ts'
import { seededRandom } from './random.ts'
import type { State } from './state.ts'

/**
 * The front desk of the company is another system with a key of its own. What it changes reaches us by webhooks. It finds
 * customers by our ids, or by their email.
 */
export async function workAtDesk(
  desk: Client,
  state: State,
  source: string,
  seed: string,
  turn: number,
): Promise<void> {
  const random = seededRandom(`${seed} desk ${turn}`)
  const customer = random.pick([...state.records.customers.values()].filter(({ limber }) => !limber?.gone))
  if (!customer || state.unsent.customers.has(customer.external_id)) return
  if (turn % 2 === 0) {
    const phone = `+1951${5_700_000 + turn}`
    await desk.sendBatch('customers', [{ external_id: `d-${customer.external_id}`, email: customer.email, phone }])
  } else {
    const gift = { delta: 1, kind: 'referral', customer: { source, external_id: customer.external_id } }
    await desk.sendBatch('credits', [{ external_id: `gift-${turn}`, ...gift }])
  }
}
