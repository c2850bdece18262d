import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { startTestServer } from '../testing/testing.ts'
import { makeConnectionCloser } from './close-connections.ts'

const isOver = (socket: Socket) => (socket.closed ? Promise.resolve() : once(socket, 'close'))

async function lineTo(url: string, bytes = ''): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'connect')
  if (bytes) socket.write(bytes)
  return socket
}

it.each([
  ['on which nothing was said', ''],
  ['on which half a request came', 'GET /healthz HTTP/1.1\r\nhost: loc'],
])('stops without waiting for a line %s', async (_, bytes) => {
  const server = await startTestServer()
  const line = await lineTo(server.url, bytes)
  // Another one that is answered shows that the server knows of the first.
  await fetch(`${server.url}/healthz`)
  await server.stop()
  await isOver(line)
})

/** A server that answers when it is told to, and has begun to stop with one request under way. */
async function stopWhileAsked(patience?: number) {
  const asked = Promise.withResolvers<ServerResponse>()
  const server = createServer((_request, reply) => asked.resolve(reply)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hangUp = makeConnectionCloser(server, patience)
  const { port } = server.address() as { port: number }
  const line = await lineTo(`http://127.0.0.1:${port}`, 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  let heard = ''
  line.on('data', (chunk) => {
    heard += String(chunk)
  })
  const reply = await asked.promise
  const closed = once(server, 'close')
  server.close()
  hangUp()
  return { reply, closed, line, heard: () => heard }
}

it('finishes the answer that is owed, and hangs up then', async () => {
  const { reply, closed, line, heard } = await stopWhileAsked()
  reply.end('the answer')
  await Promise.all([closed, isOver(line)])
  expect(heard()).toContain('the answer')
})

it('does not wait for ever for an answer that does not end', async () => {
  const { reply, closed, line } = await stopWhileAsked(50)
  reply.write('a beginning')
  await Promise.all([closed, isOver(line)])
})
