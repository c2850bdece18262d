import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const TIMEOUT_MS = 25_000

/**
 * Returns a function that closes all connections of a stopping server: idle ones at once, others after their reply, and
 * all of them after 25 seconds. Node would wait for connections without a complete request, which browsers open in
 * advance.
 */
export function makeConnectionCloser(server: Server, timeout = TIMEOUT_MS): () => void {
  const pending = new Map<Socket, number>()
  let isStopping = false
  const addPending = (socket: Socket, change: number) => {
    const replies = (pending.get(socket) ?? 0) + change
    pending.set(socket, replies)
    if (isStopping && replies === 0) socket.destroySoon()
  }
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => pending.delete(socket))
    addPending(socket, 0)
  })
  server.on('request', ({ socket }, reply) => {
    addPending(socket, 1)
    reply.once('close', () => pending.has(socket) && addPending(socket, -1))
  })
  return () => {
    isStopping = true
    for (const socket of pending.keys()) addPending(socket, 0)
    setTimeout(() => {
      for (const socket of pending.keys()) socket.destroy()
    }, timeout).unref()
  }
}
