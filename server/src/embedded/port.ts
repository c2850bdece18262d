import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the ports that Linux (32768-60999) and macOS (49152-65535) hand out to outgoing connections:
// one of those can be taken by anybody's connection at the moment Postgres starts again.
const LOWEST = 20_000
const BEYOND = 32_000

/** A free port on the loopback address, the wanted one if it is free. */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted && (await isFree(wanted))) return wanted
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(LOWEST, BEYOND)
    if (await isFree(port)) return port
  }
  throw new Error(`No free port was found between ${LOWEST} and ${BEYOND}.`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
