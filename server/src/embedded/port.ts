import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the ephemeral ports of Linux (32768-60999) and macOS (49152-65535), which an outgoing connection may take while
// PostgreSQL restarts.
const MIN_PORT = 20_000
const PORT_LIMIT = 32_000

/** A free port on the loopback address; the wanted one if it is free. */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted && (await isFree(wanted))) return wanted
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(MIN_PORT, PORT_LIMIT)
    if (await isFree(port)) return port
  }
  throw new Error(`No free port was found between ${MIN_PORT} and ${PORT_LIMIT}.`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
