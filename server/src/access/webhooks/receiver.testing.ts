import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

export interface Received {
  id: string
  headers: Record<string, string>
  body: string
  type: string
  data: Record<string, unknown>
}

type Answer = (received: Received, reply: ServerResponse, request: IncomingMessage) => void

/** A server that receives webhooks, as a customer of ours would run it. */
export async function startReceiver() {
  const received: Received[] = []
  let answer: Answer = (_, reply) => void reply.writeHead(204).end()
  const receive = async (request: IncomingMessage, reply: ServerResponse) => {
    const body = await text(request)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> }
    const event = { id: headers['webhook-id'] ?? '', headers, body, type, data }
    received.push(event)
    answer(event, reply, request)
  }
  const server = createServer((request, reply) => void receive(request, reply))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    /** Throws when the signature is not of this secret. */
    verify: (secret: string, { body, headers }: Received) => new Webhook(secret).verify(body, headers),
    answerWith(next: Answer) {
      answer = next
    },
    reset() {
      received.length = 0
      answer = (_, reply) => void reply.writeHead(204).end()
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
