import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { SECOND } from '../clock.ts'

/** The scanner cannot be reached, or it did not give a verdict. The file can be scanned again later. */
export class ScannerError extends Error {}

const SILENCE = 30 * SECOND
const CHUNK = 64 * 1024
const MAX_REPLY = 4_000

const sized = (bytes: Buffer) => {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(bytes.length)
  return Buffer.concat([head, bytes])
}

/** The content in the chunks of clamd's INSTREAM command; one of length 0 ends it. */
async function* chunksOf(content: Readable | Buffer): AsyncGenerator<Buffer> {
  yield Buffer.from('zINSTREAM\0')
  const parts = Buffer.isBuffer(content) ? [content] : (content as AsyncIterable<Buffer>)
  for await (const part of parts)
    for (let at = 0; at < part.length; at += CHUNK) yield sized(part.subarray(at, at + CHUNK))
  yield sized(Buffer.alloc(0))
}

/** Sends a command and returns the reply of clamd, without the NUL at its end. */
async function ask(scanner: NetConnectOpts, command: AsyncIterable<Buffer>): Promise<string> {
  const socket: Socket = connect(scanner)
  const reply: Buffer[] = []
  let size = 0
  socket.on('data', (bytes: Buffer) => {
    size += bytes.length
    if (size <= MAX_REPLY) reply.push(bytes)
  })
  socket.setTimeout(SILENCE, () => socket.destroy(new Error('The scanner did not answer.')))
  const ended = new Promise<void>((done) => socket.once('close', () => done()))
  let failure: Error | undefined
  socket.on('error', (error) => {
    failure = error
  })
  try {
    // A scanner that has seen enough replies and closes before it got everything.
    for await (const bytes of command) {
      if (socket.destroyed || socket.readableEnded) break
      if (!socket.write(bytes)) await Promise.race([new Promise((done) => socket.once('drain', done)), ended])
    }
    await ended
  } finally {
    socket.destroy()
  }
  const text = Buffer.concat(reply).toString('utf8').split('\0', 1)[0]?.trim() ?? ''
  if (text === '') throw new ScannerError(failure?.message ?? 'The scanner closed the connection.')
  return text
}

/** Scans a file with clamd. Returns the name of the virus, or null. Throws `ScannerError` without a verdict. */
export async function scanContent(scanner: NetConnectOpts, content: Readable | Buffer): Promise<string | null> {
  const reply = await ask(scanner, chunksOf(content)).catch((error: unknown) => {
    throw error instanceof ScannerError ? error : new ScannerError(error instanceof Error ? error.message : 'failed')
  })
  if (/^stream: OK$/.test(reply)) return null
  const virus = /^stream: (.+) FOUND$/.exec(reply)?.[1]
  if (virus === undefined) throw new ScannerError(reply.slice(0, 200))
  return virus.replace(/[^\w .:/()-]/g, '_').slice(0, 100)
}

/** Asks whether the scanner responds, and for its version. */
export async function askVersion(scanner: NetConnectOpts): Promise<string> {
  return ask(scanner, Readable.from([Buffer.from('zVERSION\0')]))
}
