import { connect, createServer, type Server, type Socket } from 'node:net'
import { copyTemplate, startTestServer } from './testing.ts'

/** A TCP proxy to the database whose connections can be cut. */
function makeProxy(target: URL) {
  const sockets = new Set<Socket>()
  let isUp = true
  let commitsLeft = 0
  const server: Server = createServer((socket) => {
    if (!isUp) return void socket.destroy()
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

/** A test server whose database is behind a proxy. */
export async function startBehindProxy() {
  const database = await copyTemplate()
  const url = new URL(database.url)
  const proxy = makeProxy(url)
  const through = new URL(url)
  // The proxy supports TCP only.
  through.searchParams.delete('host')
  through.hostname = '127.0.0.1'
  through.port = String(await proxy.listen())
  const server = await startTestServer({ env: { DATABASE_URL: through.href } })
  const stop = async () => {
    await server.stop()
    proxy.close()
    await database.drop()
  }
  return { server, proxy, stop }
}
