import type { Client } from './client.ts'
import { type Change, type Resource, resources } from './records.ts'
import type { State } from './state.ts'

const BATCH = 1000

/**
 * Sends what Limber has not confirmed. Killed between the reply and our note of it, we send the same again, and Limber
 * answers `unchanged`.
 */
export async function sendChanges(client: Client, state: State): Promise<number> {
  let count = 0
  for (const resource of resources) {
    const waiting = [...state.unsent[resource].values()].map(({ fields }) => forLimber(fields))
    const line = state.position
    for (let at = 0; at < waiting.length; at += BATCH) {
      const items = waiting.slice(at, at + BATCH)
      await sendBatch(client, state, resource, items, line)
      count += items.length
    }
  }
  return count
}

async function sendBatch(client: Client, state: State, resource: Resource, items: Change[], line: number) {
  const { results } = await client.sendBatch(resource, items)
  const rejected = results.filter(({ status }) => status === 'rejected')
  const refused = rejected.map(({ external_id: id, errors: [error] = [] }) => {
    return { resource, id, code: error?.code ?? '', text: `${error?.path} ${error?.text}` }
  })
  const ids = items.map(({ external_id }) => external_id)
  state.write({ sent: { resource, ids, line }, ...(refused.length > 0 && { refused }) })
}

/** Without what only Limber decides. */
function forLimber(fields: Change & { limber?: unknown }): Change {
  const { limber: _, ...ours } = fields
  return ours
}
