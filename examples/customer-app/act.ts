import { type Client, type Listed, RefusedError } from './client.ts'
import type { Customer } from './records.ts'
import type { Received, State } from './state.ts'

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
 * log. A webhook only says which records changed, so we read them.
 */
export async function actOnWebhooks(client: Client, state: State): Promise<number> {
  const waiting = [...state.received.values()].filter(({ isDone }) => !isDone)
  for (const webhook of waiting) {
    const customer = webhook.data.customer && client.ourId(webhook.data.customer)
    const text = notices[webhook.type]
    // Before we read the account that was kept: its credits now include those of this one.
    if (customer && webhook.type === 'customer.merged')
      state.write({ learned: [mergedCustomer(client, customer, webhook)] })
    const learned = await readCustomers(client, state, webhook)
    state.write({ learned, acted: { webhook: webhook.id, ...(customer && text && { notice: { customer, text } }) } })
  }
  return waiting.length
}

const mergedCustomer = (client: Client, external_id: string, { data }: Received) => {
  const mergedInto = data.merged_into && client.ourId(data.merged_into)
  return {
    external_id,
    limber: { granted: 0, blocked: false, gone: 'merged', ...(mergedInto && { mergedInto }) },
  } as const
}

async function readCustomers(client: Client, state: State, { type, data }: Received) {
  const learned = []
  for (const named of [data.customer, data.merged_into].filter((each) => each !== undefined)) {
    const external_id = client.ourId(named)
    if (!external_id || (type === 'customer.merged' && named === data.customer)) continue
    const record = await readIfThere(client, named.id)
    if (record) learned.push({ external_id, ...fromLimber(state, external_id, record) })
    // A later webhook may tell that the customer is gone; this one may come after it.
    else if (type === 'customer.erased')
      learned.push({ external_id, limber: { granted: 0, blocked: false, gone: 'erased' } as const })
  }
  return learned
}

const readIfThere = (client: Client, id: number): Promise<Listed | undefined> =>
  client.read('customers', id).catch((error: unknown) => {
    if (error instanceof RefusedError && error.status === 404) return undefined
    throw error
  })

/**
 * A customer as Limber has it: staff correct names and numbers, and a merge adds up what two accounts had. All our changes
 * must have been sent, so that credits of others can be told from ours.
 */
export function fromLimber(state: State, id: string, record: Listed): Partial<Customer> {
  const { external_id, address, referred_by, limber, ...fields } = state.records.customers.get(id) ?? {}
  const { credits, blocked } = record as unknown as { credits: number; blocked: boolean }
  return {
    ...Object.fromEntries(Object.keys(fields).map((name) => [name, record[name]])),
    limber: { granted: credits - state.balanceOf(id), blocked },
  }
}
