import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { failureBody, type Refusal, refusals } from './refusal.ts'

const reasonOf = (code: string | undefined): Refusal => {
  if (code === 'HPE_HEADER_OVERFLOW') return refusals.headersTooLong()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusals.timeout()
  return refusals.badRequest('The request could not be parsed.')
}

/** Replies to a connection that sent no valid request, in the format of every other refusal. */
export function answerClientError({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
  const refusal = reasonOf(code)
  const body = JSON.stringify(failureBody(refusal))
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
