import { type Client, type Listed, RefusedError } from './client.ts'
import type { Customer } from './records.ts'
import type { State } from './state.ts'

/** What we tell a customer, by event. */
const notices: Record<string, string> = {
  'customer.updated': 'Your profile was updated.',
  'customer.blocked': 'Your account is on hold. Please call us.',
  'customer.unblocked': 'Your account is active again.',
  'credits.changed': 'Your credits changed.',
  'ticket.replied': 'We replied to your question.',
  'ticket.closed': 'Your question is closed.',
}

/**
 * Acts on webhooks, each once: what we learned, what we tell the customer and the note that we acted are one line of the
 * log. A webhook only says what changed, so we read the customer.
 */
export async function actOnWebhooks(client: Client, state: State): Promise<number> {
  const waiting = [...state.received.values()].filter(({ isDone }) => !isDone)
  for (const { id: webhook, type, data } of waiting) {
    const customer = data.customer?.external_ids.app
    if (!data.customer || !customer) {
      state.write({ acted: { webhook } })
      continue
    }
    const record = await readCustomer(client, data.customer.id)
    const text = notices[type]
    state.write({
      learned: [{ external_id: customer, ...(record ? fromLimber(state, customer, record) : gone(type)) }],
      acted: { webhook, ...(text && { notice: { customer, text } }) },
    })
  }
  return waiting.length
}

const readCustomer = (client: Client, id: number): Promise<Listed | undefined> =>
  client.read('customers', id).catch((error: unknown) => {
    if (error instanceof RefusedError && error.status === 404) return undefined
    throw error
  })

const gone = (type: string): Partial<Customer> => ({
  limber: { granted: 0, blocked: false, gone: type === 'customer.merged' ? 'merged' : 'erased' },
})

/** What staff may have changed. All our credits must have been sent, so that the others can be told apart. */
export function fromLimber(state: State, id: string, record: Listed): Partial<Customer> {
  if (record.deleted_at) return { limber: { granted: 0, blocked: false, gone: record.reason ?? 'deleted' } }
  const { first_name, last_name, email, phone, credits, blocked } = record as unknown as Customer & {
    credits: number
    blocked: boolean
  }
  const granted = credits - (state.balances.get(id) ?? 0)
  return { first_name, last_name, email, phone, limber: { granted, blocked } }
}
