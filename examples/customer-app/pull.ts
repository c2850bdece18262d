import { fromLimber } from './act.ts'
import type { Client } from './client.ts'
import type { State } from './state.ts'

/** A change that was being written while we asked may carry a slightly earlier time. */
const OVERLAP = 60_000

/** Reads the customers that changed in Limber since the last time, also those that are gone. */
export async function pullCustomers(client: Client, state: State): Promise<number> {
  const learned = []
  let latest = state.pulledUntil ?? ''
  const since = latest && new Date(Date.parse(latest) - OVERLAP).toISOString()
  for await (const record of client.walk('customers', since)) {
    const changedAt = record.updated_at ?? record.deleted_at ?? ''
    if (changedAt > latest) latest = changedAt
    const id = record.external_ids.app
    if (id) learned.push({ external_id: id, ...fromLimber(state, id, record) })
  }
  if (latest) state.write({ learned, pulledUntil: latest })
  return learned.length
}
