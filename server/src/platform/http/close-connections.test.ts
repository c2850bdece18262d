import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { startTestServer } from '../testing/testing.ts'
import { makeConnectionCloser } from './close-connections.ts'

const isClosed = (socket: Socket) => (socket.closed ? Promise.resolve() : once(socket, 'close'))

async function connectTo(url: string, bytes = ''): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'connect')
  if (bytes) socket.write(bytes)
  return socket
}

it.each([
  ['without a request', ''],
  ['with half a request', 'GET /healthz HTTP/1.1\r\nhost: loc'],
])('stops without waiting for a connection %s', async (_, bytes) => {
  const server = await startTestServer()
  const socket = await connectTo(server.url, bytes)
  // A reply on another connection proves that the server has accepted the first.
  await fetch(`${server.url}/healthz`)
  await server.stop()
  await isClosed(socket)
})

/** A server that started to stop during a request; the test decides when it replies. */
async function stopDuringRequest(timeout?: number) {
  const asked = Promise.withResolvers<ServerResponse>()
  const server = createServer((_request, reply) => asked.resolve(reply)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const closeConnections = makeConnectionCloser(server, timeout)
  const { port } = server.address() as { port: number }
  const socket = await connectTo(`http://127.0.0.1:${port}`, 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  let received = ''
  socket.on('data', (chunk) => {
    received += String(chunk)
  })
  const reply = await asked.promise
  const closed = once(server, 'close')
  server.close()
  closeConnections()
  return { reply, closed, socket, received: () => received }
}

it('finishes a pending reply, then closes the connection', async () => {
  const { reply, closed, socket, received } = await stopDuringRequest()
  reply.end('the answer')
  await Promise.all([closed, isClosed(socket)])
  expect(received()).toContain('the answer')
})

it('closes the connection of a reply that never ends after a timeout', async () => {
  const { reply, closed, socket } = await stopDuringRequest(50)
  reply.write('a beginning')
  await Promise.all([closed, isClosed(socket)])
})
