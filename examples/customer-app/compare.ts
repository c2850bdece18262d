import type { Client, Listed } from './client.ts'
import { type Customer, type Resource, resources } from './records.ts'
import type { State } from './state.ts'

export interface Comparison {
  /** Records and webhooks in Limber that are ours. */
  counts: Record<string, number>
  /** A line for each field that differs, and for each record or webhook that only one side has. */
  differences: string[]
}

/** Walks everything in Limber and compares it with our books. */
export async function compareBooks(client: Client, state: State): Promise<Comparison> {
  const counts: Record<string, number> = {}
  const differences: string[] = []
  const ids: Ids = new Map()
  for (const resource of resources) {
    const records = new Map<string, Listed>()
    for await (const record of client.walk(resource)) {
      const id = resource === 'events' ? String(record.id) : client.ourId(record)
      if (id !== undefined) records.set(id, record)
    }
    ids.set(resource, new Map([...records].map(([id, record]) => [record.id, id])))
    const ours: ReadonlyMap<string, object> = state.records[resource]
    counts[resource] = [...records.keys()].filter((id) => ours.has(id)).length
    for (const [id, record] of ours) {
      if (resource !== 'customers' && isErased(state, resource, id)) continue
      const theirs = records.get(id)
      const found = theirs ? compareRecord(state, resource, record, theirs, ids) : ['missing in Limber']
      differences.push(...found.map((what) => `${resource} ${id}: ${what}`))
    }
    for (const id of records.keys())
      if (!ours.has(id) && resource !== 'events') differences.push(`${resource} ${id}: only in Limber`)
  }
  for (const { resource, id, code, text } of state.refused)
    if (!isErased(state, resource, id)) differences.push(`${resource} ${id}: refused, ${code} ${text}`)
  const webhooks = await compareWebhooks(client, state)
  return { counts: { ...counts, webhooks: state.received.size }, differences: [...differences, ...webhooks] }
}

/** Of an erased customer, neither side keeps more than it must, and Limber takes nothing new. */
function isErased(state: State, resource: Resource, id: string): boolean {
  const record = state.records[resource].get(id) as { customer?: string } | undefined
  const customer = resource === 'customers' ? id : record?.customer
  return state.records.customers.get(state.currentCustomer(customer ?? ''))?.limber?.gone === 'erased'
}

/** Our ids by Limber's. */
type Ids = Map<Resource, Map<number, string>>

/** The resource that a field names. */
const named: Record<string, Resource> = {
  customer: 'customers',
  stretcher: 'stretchers',
  booking: 'bookings',
  transaction: 'transactions',
}

function compareRecord(state: State, resource: Resource, ours: object, theirs: Listed, ids: Ids): string[] {
  const { external_id, limber, silent, ...fields } = ours as Record<string, unknown>
  if (theirs.deleted_at) return (limber as Customer['limber'])?.gone === theirs.reason ? [] : [`${theirs.reason}`]
  if (resource === 'customers') {
    const known = (limber as Customer['limber']) ?? { granted: 0, blocked: false }
    fields.credits = state.balanceOf(String(external_id)) + known.granted
    fields.blocked = known.blocked
  }
  const other: Record<string, unknown> = { ...theirs, ...(resource === 'events' && { customer: theirs.customer_id }) }
  return Object.entries(fields).flatMap(([field, value]) => {
    const isSame = isEqual(value, other[field], (our, id, name = field) => {
      const found = ids.get(named[name] ?? resource)?.get(id)
      return found === our || state.currentCustomer(our) === state.currentCustomer(found ?? '')
    })
    return isSame ? [] : [`${field} is ${JSON.stringify(other[field])}, not ${JSON.stringify(value)}`]
  })
}

type IsReference = (our: string, id: number, field?: string) => boolean

/** Limber writes times and money in its own way, and names records by its own ids. */
function isEqual(ours: unknown, theirs: unknown, isReference: IsReference): boolean {
  if (ours === theirs) return true
  if (typeof ours === 'string' && typeof theirs === 'number') return isReference(ours, theirs)
  if (typeof ours === 'string' && typeof theirs === 'string') {
    if (/^\d{4}-\d\d-/.test(ours)) return Date.parse(ours) === Date.parse(theirs)
    return /^-?\d+\.\d+$/.test(ours) && Number(ours) === Number(theirs)
  }
  if (typeof ours !== 'object' || typeof theirs !== 'object' || !ours || !theirs) return false
  return Object.entries(ours).every(([key, value]) =>
    isEqual(value, (theirs as Record<string, unknown>)[key], (our, id) => isReference(our, id, key)),
  )
}

interface Deliveries {
  items: { event_id: string }[]
  next_cursor: string | null
}

/** Limber's list of deliveries must be the webhooks that we acted on, each once. */
async function compareWebhooks(client: Client, state: State): Promise<string[]> {
  if (!state.endpoint) return []
  const sent = new Set<string>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/webhooks/${state.endpoint.id}/deliveries?limit=500${cursor && `&cursor=${cursor}`}`
    const page: Deliveries = await client.call('GET', path)
    for (const { event_id } of page.items) sent.add(event_id)
    cursor = page.next_cursor
  }
  const acted = new Set(state.actedOn)
  return [
    ...[...sent].filter((id) => !acted.has(id)).map((id) => `webhook ${id}: we did not act on it`),
    ...[...acted].filter((id) => !sent.has(id)).map((id) => `webhook ${id}: unknown to Limber`),
    ...(acted.size === state.actedOn.length ? [] : ['We acted on a webhook twice.']),
  ]
}
