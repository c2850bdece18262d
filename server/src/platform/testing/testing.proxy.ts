import { connect, createServer, type Server, type Socket } from 'node:net'
import { copyTemplate, startTestServer } from './testing.ts'

/** A line to the database that can be cut, as a network does. */
function makeProxy(target: URL) {
  const sockets = new Set<Socket>()
  let isUp = true
  let commitsLeft = 0
  const server: Server = createServer((socket) => {
    if (!isUp) return void socket.destroy()
    const far = connect(Number(target.port), target.hostname)
    for (const each of [socket, far]) {
      sockets.add(each)
      each.on('error', () => {})
      each.on('close', () => {
        socket.destroy()
        far.destroy()
      })
    }
    socket.pipe(far)
    far.on('data', (answer) => {
      if (!commitsLeft || !answer.includes('COMMIT\0')) return void socket.write(answer)
      commitsLeft -= 1
      if (commitsLeft > 0) return void socket.write(answer)
      far.destroy()
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
    /** The next transaction, or a later one, is committed, and nobody hears of it. */
    loseCommit: (nth = 1) => {
      commitsLeft = nth
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** A server whose database lies behind a line of its own. */
export async function startBehindProxy() {
  const database = await copyTemplate()
  const url = new URL(database.url)
  const line = makeProxy(url)
  const through = new URL(url)
  // The line carries TCP alone.
  through.searchParams.delete('host')
  through.hostname = '127.0.0.1'
  through.port = String(await line.listen())
  const server = await startTestServer({ env: { DATABASE_URL: through.href } })
  const stop = async () => {
    await server.stop()
    line.close()
    await database.drop()
  }
  return { server, line, stop }
}
