import type { RecordEvent } from '../webhooks/record-event.ts'
import type { Resource } from './resources.ts'

interface Written {
  id: number
  /** The names of the fields that were sent. */
  fields: readonly string[]
  item: { fields: unknown; references: Readonly<Record<string, number>> }
}

const ofRecord =
  (type: RecordEvent['type'], of: 'customer' | 'stretcher') =>
  ({ id, fields }: Written): RecordEvent => ({ type, of, ids: { [of]: id }, changed: fields })

/** What other systems are told of records that a program sent. Other records make no events. */
const events: Partial<Record<Resource, (written: Written) => RecordEvent | undefined>> = {
  customers: ofRecord('customer.updated', 'customer'),
  stretchers: ofRecord('stretcher.updated', 'stretcher'),
  credits: ({ item }) => {
    const { customer } = item.references
    const { delta } = item.fields as { delta?: unknown }
    if (customer === undefined) return undefined
    const facts = typeof delta === 'number' || typeof delta === 'string' ? { facts: { delta } } : {}
    return { type: 'credits.changed', of: 'customer', ids: { customer }, ...facts }
  },
}

const HEAD = ['external_id', 'updated_at']

/** The event of a record that a batch created or changed, if it makes one. */
export function batchEvent(resource: Resource, id: number, item: Written['item']): RecordEvent | undefined {
  const fields = Object.keys(item.fields as object).filter((name) => !HEAD.includes(name))
  return events[resource]?.({ id, fields, item })
}
