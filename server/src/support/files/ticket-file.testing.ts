import { createServer, type Socket } from 'node:net'

/** A 2 x 1 PNG. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGP4z8DAwMDAAAAJBAEAX8n4sQAAAABJRU5ErkJggg==',
  'base64',
)

/** A PDF file with one page, filled up to a size. */
export const pdf = (bytes = 600) => {
  const end = '\ntrailer<</Root 1 0 R>>\n%%EOF\n'
  const start =
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\n%'
  return Buffer.from(start + 'x'.repeat(Math.max(0, bytes - start.length - end.length)) + end)
}

/** The harmless file that every scanner reports. */
export const EICAR = Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*')

interface Part {
  type: string
  content: Buffer | string
  headers?: readonly string[]
}

const encode = ({ type, content, headers = [] }: Part) =>
  [
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    ...headers,
    '',
    Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n'),
  ].join('\r\n')

let count = 0

/** An email with parts. */
export function partsLetter(parts: readonly Part[], { kind = 'mixed', subject = 'My receipt' } = {}) {
  count += 1
  return [
    'From: Ana <ana@example.com>',
    'To: help@example.com',
    `Subject: ${subject}`,
    `Message-ID: <parts-${count}@example.com>`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/${kind}; boundary="b"`,
    '',
    ...parts.map((part) => `--b\r\n${encode(part)}`),
    '--b--',
    '',
  ].join('\r\n')
}

export const named = (type: string, name: string, content: Buffer | string): Part => ({
  type: `${type}; name="${name}"`,
  content,
  headers: [`Content-Disposition: attachment; filename="${name}"`],
})

/**
 * A server that speaks clamd's protocol: it reads INSTREAM chunks, and finds a virus in everything that contains the
 * EICAR text. `limit` is its StreamMaxLength.
 */
export async function openScanner({ limit = 30_000_000 } = {}) {
  const sockets = new Set<Socket>()
  const scanned: Buffer[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let pending = Buffer.alloc(0)
    let content: Buffer[] | undefined
    const reply = (text: string) => socket.end(`${text}\0`)
    const readChunks = () => {
      while (content && pending.length >= 4) {
        const size = pending.readUInt32BE(0)
        if (pending.length < 4 + size) return
        content.push(pending.subarray(4, 4 + size))
        pending = pending.subarray(4 + size)
        const whole = Buffer.concat(content)
        if (whole.length > limit) return reply('INSTREAM size limit exceeded. ERROR')
        if (size > 0) continue
        scanned.push(whole)
        return reply(whole.includes(EICAR) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK')
      }
    }
    socket.on('data', (bytes: Buffer) => {
      pending = Buffer.concat([pending, bytes])
      const end = pending.indexOf(0)
      if (!content && end >= 0) {
        const command = pending.subarray(0, end).toString()
        pending = pending.subarray(end + 1)
        if (command === 'zVERSION') return reply('ClamAV 1.4.3/27800/Tue Nov 17 09:00:00 2026')
        if (command !== 'zINSTREAM') return reply('UNKNOWN COMMAND')
        content = []
      }
      readChunks()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    port,
    url: `tcp://127.0.0.1:${port}`,
    scanned,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
export type Scanner = Awaited<ReturnType<typeof openScanner>>
