import { randomBytes } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * How a line behaves. `refused`: nobody listens. `silent`: connections are taken, and nothing is answered. `nonsense`: the
 * answer is noise. `half`: the answer ends in its middle. `slow`: each part of an answer takes half a second.
 */
export type LineMode = 'well' | 'refused' | 'silent' | 'nonsense' | 'half' | 'slow'

export const BAD_MODES = {
  refused: 'refuses connections',
  silent: 'does not answer',
  nonsense: 'answers nonsense',
  half: 'ends its answers half-way',
  slow: 'takes half a second for each part of an answer',
} as const

const DELAY = 500

/** A TCP line to a service, which can be made to fail in the ways of real networks. */
export async function openLine(target: { host: string; port: number }) {
  let mode: LineMode = 'well'
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  }
  function dropAll() {
    for (const socket of sockets) socket.resetAndDestroy()
  }

  /** What goes back to the caller. */
  async function passBack(parts: AsyncIterable<Buffer>, socket: Socket, upstream: Socket) {
    for await (const part of parts) {
      if (mode === 'half') {
        socket.end(part.subarray(0, part.length >> 1))
        return void upstream.destroy()
      }
      if (mode === 'slow') await sleep(DELAY)
      socket.write(part)
    }
    socket.end()
  }

  const server = createServer((socket) => {
    track(socket)
    if (mode === 'silent') return
    if (mode === 'nonsense') return void socket.once('data', () => socket.end(randomBytes(200))).write(randomBytes(200))
    const upstream = connect(target.port, target.host)
    track(upstream)
    socket.pipe(upstream)
    socket.once('close', () => upstream.destroy())
    void passBack(upstream, socket, upstream).catch(() => socket.destroy())
  })
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  await listen(0)
  const { port } = server.address() as { port: number }
  return {
    port,
    async behave(next: LineMode) {
      if (next === mode) return
      const wasRefused = mode === 'refused'
      mode = next
      dropAll()
      if (next === 'refused') await new Promise<void>((done) => void server.close(() => done()))
      else if (wasRefused) await listen(port)
    },
    close() {
      dropAll()
      server.close()
    },
  }
}
export type Line = Awaited<ReturnType<typeof openLine>>
