import type { lookup } from 'node:dns'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { internalUrls } from './internal-urls.testing.ts'
import { makePoster } from './post-event.ts'

/** Counts the connections that a process of this machine gets. */
let listener: Server
let port = 0
let connections = 0
beforeAll(async () => {
  listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  port = (listener.address() as { port: number }).port
})
afterAll(() => new Promise((done) => listener.close(done)))

/** A resolver that gives these answers, one after the other, and the last one from then on. */
function resolver(...answers: string[][]) {
  let asked = 0
  const resolveAll = ((_name: string, _options: object, callback: (error: null, found: object[]) => void) => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? []
    asked += 1
    const found = answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    process.nextTick(() => callback(null, found))
  }) as typeof lookup
  return { resolveAll, asked: () => asked }
}
const strict = { allowPrivate: false, needsHttps: false, timeout: 200 }

describe('an internal address', () => {
  it.each(internalUrls)('%s is not connected to', async (text) => {
    const url = new URL(text)
    url.protocol = 'http:'
    url.port = String(port)
    const poster = makePoster(strict)
    expect(await poster.post(url.href, {}, '{}')).toMatchObject({ status: null, error: 'blocked_address' })
    poster.close()
    expect(connections).toBe(0)
  })
})

describe('a name', () => {
  const post = async (...answers: string[][]) => {
    const { resolveAll, asked } = resolver(...answers)
    const poster = makePoster({ ...strict, resolveAll })
    const first = await poster.post(`http://hooks.example.com:${port}/`, {}, '{}')
    const second = await poster.post(`http://hooks.example.com:${port}/`, {}, '{}')
    poster.close()
    return { errors: [first.error, second.error], asked: asked() }
  }
  it.each(
    `127.0.0.1 0.0.0.0 10.0.0.1 169.254.169.254 192.168.1.1 ::1 :: ::ffff:127.0.0.1 ::ffff:7f00:1 fe80::1 fd00:ec2::254
    64:ff9b::7f00:1 2002:7f00:1::`.split(/\s+/),
  )('that resolves to %s is not connected to', async (address) => {
    expect(await post([address])).toEqual({ errors: ['blocked_address', 'blocked_address'], asked: 2 })
    expect(connections).toBe(0)
  })
  it('that also resolves to an internal address is not connected to', async () => {
    expect((await post(['203.0.113.7', '127.0.0.1'])).errors).toEqual(['blocked_address', 'blocked_address'])
    expect(connections).toBe(0)
  })
  it('that is rebound between two events is looked up for each connection, and the socket keeps what was checked', async () => {
    const { errors, asked } = await post(['203.0.113.7'], ['127.0.0.1'])
    // Nobody answers at the first address, and this machine is never asked.
    expect(errors[0]).not.toBe('blocked_address')
    expect(errors[0]).not.toBeNull()
    expect(errors[1]).toBe('blocked_address')
    expect(asked).toBe(2)
    expect(connections).toBe(0)
  })
  it('that resolves to nothing is not connected to', async () => {
    expect((await post([])).errors).toEqual(['blocked_address', 'blocked_address'])
  })
  it.each(['localhost', 'localhost.', 'LOCALHOST', 'hooks.localhost'])(
    'such as %s is not connected to',
    async (host) => {
      const poster = makePoster({ ...strict, timeout: 10_000 })
      const { status, error } = await poster.post(`http://${host}:${port}/`, {}, '{}')
      expect(status).toBeNull()
      expect(error).toMatch(/blocked_address|ENOTFOUND|EAI_AGAIN/)
      poster.close()
      expect(connections).toBe(0)
    },
  )
})
