import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { MINUTE, SECOND } from '#platform/clock.ts'
import { MAX_MAIL_BYTES } from './store-mail.ts'

/** The email of a request, and whether only its beginning was kept. */
interface MailBody {
  source: Buffer
  isCut: boolean
}

/** The request contains no email, or it ended before its end. */
export class BadMailBody extends Error {
  readonly code: 'malformed' | 'cut_off'
  constructor(code: BadMailBody['code']) {
    super(code)
    this.code = code
  }
}

const SILENCE = 30 * SECOND
/** A sender that trickles must not hold a place forever. */
const LONGEST = 5 * MINUTE
/** Where providers put an email as it came. */
const fields = new Set(['email', 'body-mime'])
/** Providers name envelope, sender and check results in further fields. */
const MAX_FIELDS = 100

/** Reads everything and keeps the beginning, so that the sender of a large email gets an answer. */
async function readBeginning(stream: Readable): Promise<MailBody> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (size < MAX_MAIL_BYTES) chunks.push(chunk.subarray(0, MAX_MAIL_BYTES - size))
    size += chunk.length
  }
  return { source: Buffer.concat(chunks), isCut: size > MAX_MAIL_BYTES }
}

function openForm(request: IncomingMessage) {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { fields: MAX_FIELDS, files: MAX_FIELDS, parts: MAX_FIELDS, fieldSize: MAX_MAIL_BYTES, headerPairs: 20 },
      // Bytes as they came: an email names its own charsets.
      defCharset: 'latin1',
      isPartAFile: () => true,
    })
  } catch {
    throw new BadMailBody('malformed')
  }
}

function readForm(request: IncomingMessage): Promise<MailBody> {
  const form = openForm(request)
  let found: Promise<MailBody> | undefined
  return new Promise((done, fail) => {
    form.on('file', (name: string, stream: Readable) => {
      stream.on('error', () => {})
      if (fields.has(name) && !found) {
        found = readBeginning(stream)
        found.catch(fail)
      } else stream.resume()
    })
    form.on('field', (name: string, value: string, _isNameCut: boolean, isCut: boolean) => {
      if (fields.has(name)) found ??= Promise.resolve({ source: Buffer.from(value, 'latin1'), isCut })
    })
    form.on('error', () => fail(new BadMailBody('malformed')))
    form.on('finish', () => (found ? done(found) : fail(new BadMailBody('malformed'))))
    request.once('close', () => request.complete || fail(new BadMailBody('cut_off')))
    request.pipe(form)
  })
}

/** Reads the email of a request: the body itself, or a field of a form. */
export async function readMailBody(request: IncomingMessage): Promise<MailBody> {
  // The sender left while it waited for its turn.
  if (request.destroyed) throw new BadMailBody('cut_off')
  const end = () => request.destroy()
  request.socket.setTimeout(SILENCE).on('timeout', end)
  const timer = setTimeout(end, LONGEST)
  try {
    const isAlone = /^message\/rfc822/i.test(request.headers['content-type'] ?? '')
    const body = await (isAlone ? readBeginning(request) : readForm(request))
    if (body.source.length === 0) throw new BadMailBody('malformed')
    return body
  } catch (error) {
    throw error instanceof BadMailBody ? error : new BadMailBody('cut_off')
  } finally {
    clearTimeout(timer)
    request.socket.setTimeout(0).off('timeout', end)
  }
}
