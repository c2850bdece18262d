import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const PATIENCE_MS = 25_000

/**
 * Gives the way to end all lines of a server that stops: at once where no answer is owed, else after it, and after 25
 * seconds in any case. Node itself would wait for lines on which no whole request came, such as browsers open ahead of need.
 */
export function makeConnectionCloser(server: Server, patience = PATIENCE_MS): () => void {
  const owed = new Map<Socket, number>()
  let isStopping = false
  const owe = (socket: Socket, more: number) => {
    const answers = (owed.get(socket) ?? 0) + more
    owed.set(socket, answers)
    if (isStopping && answers === 0) socket.destroySoon()
  }
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => owed.delete(socket))
    owe(socket, 0)
  })
  server.on('request', ({ socket }, reply) => {
    owe(socket, 1)
    reply.once('close', () => owed.has(socket) && owe(socket, -1))
  })
  return () => {
    isStopping = true
    for (const socket of owed.keys()) owe(socket, 0)
    setTimeout(() => {
      for (const socket of owed.keys()) socket.destroy()
    }, patience).unref()
  }
}
