import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import type { Client } from './client.ts'
import type { Received, State } from './state.ts'

const EVENTS = [
  'customer.updated',
  'customer.blocked',
  'customer.unblocked',
  'customer.merged',
  'customer.erased',
  'credits.changed',
  'ticket.replied',
  'ticket.closed',
]

/** Listens for webhooks. They are written down and confirmed at once; acting on them comes later (act.ts). */
export async function listen(state: State, port: number): Promise<Server> {
  const server = createServer((request, reply) => {
    takeWebhook(state, request).then(
      (status) => reply.writeHead(status).end(),
      // Limber tries again.
      () => reply.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, resolve))
  return server
}

async function takeWebhook(state: State, request: IncomingMessage): Promise<number> {
  const body = await text(request)
  // The webhook that asks for our secret may be faster than the reply that has it.
  if (!state.endpoint) return 503
  try {
    new Webhook(state.endpoint.secret).verify(body, request.headers as Record<string, string>)
  } catch {
    return 401
  }
  const id = String(request.headers['webhook-id'])
  // Limber repeats a webhook when it did not hear our answer. Its id stays the same.
  if (!state.received.has(id)) {
    const { type, data } = JSON.parse(body) as Omit<Received, 'id'>
    state.write({ received: { id, type, data } })
  }
  return 204
}

/** Tells Limber where to send webhooks, once. After a time away, asks for what was missed instead of waiting for it. */
export async function subscribe(client: Client, state: State, url: string): Promise<void> {
  const known = await client.call<{ items: { id: number; url: string }[] }>('GET', '/webhooks')
  const found = known.items.find((each) => each.url === url)
  if (found && state.endpoint?.id === found.id) {
    const since = new Date(Date.now() - 24 * 60 * 60_000).toISOString()
    await client.call('POST', `/webhooks/${found.id}/redeliver`, { since })
    return
  }
  // We were killed before we wrote down the secret, which is shown once. A new one takes its place.
  const { id, secret } = found
    ? await client.call<{ id: number; secret: string }>('POST', `/webhooks/${found.id}/rotate`, { overlap_hours: 0 })
    : await client.call<{ id: number; secret: string }>('POST', '/webhooks', {
        url,
        events: EVENTS,
        description: 'Example customer app',
      })
  state.write({ endpoint: { id, url, secret } })
}
