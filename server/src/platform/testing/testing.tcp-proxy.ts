import { connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP proxy to the database whose connections can be cut. */
export function makeProxy(target: URL) {
  const sockets = new Set<Socket>()
  let isUp = true
  let isFrozen = false
  let commitsLeft = 0
  const server: Server = createServer((socket) => {
    if (!isUp) return void socket.destroy()
    if (isFrozen) {
      sockets.add(socket)
      return void socket.on('error', () => {}).pause()
    }
    const upstream = connect(Number(target.port), target.hostname)
    for (const each of [socket, upstream]) {
      sockets.add(each)
      each.on('error', () => {})
      each.on('close', () => {
        socket.destroy()
        upstream.destroy()
      })
    }
    socket.pipe(upstream)
    upstream.on('data', (answer) => {
      if (!commitsLeft || !answer.includes('COMMIT\0')) return void socket.write(answer)
      commitsLeft -= 1
      if (commitsLeft > 0) return void socket.write(answer)
      upstream.destroy()
    })
  })
  return {
    listen: () =>
      new Promise<number>((done) =>
        server.listen(0, '127.0.0.1', () => done((server.address() as { port: number }).port)),
      ),
    cut: () => {
      isUp = false
      for (const socket of sockets) socket.destroy()
    },
    restore: () => {
      isUp = true
      isFrozen = false
      for (const socket of sockets) socket.destroy()
    },
    /** Nothing passes any more, and nobody is told. New connections hang too. */
    freeze: () => {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    /** The nth next commit succeeds, but its confirmation is lost. */
    loseCommit: (nth = 1) => {
      commitsLeft = nth
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
