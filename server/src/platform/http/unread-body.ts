import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { failureBody, type Refusal, refusals } from './refusal.ts'

/** True while a part of the body has not arrived. After an early reply, the connection must close. */
export const hasUnreadBody = ({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>) =>
  !raw.complete && (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0')

const answer = (reply: FastifyReply, refusal: Refusal) =>
  reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(failureBody(refusal)))

export const answerNotFound = (reply: FastifyReply) => answer(reply, refusals.notFound())

/** Node uses the first `Host` header, but a proxy in front may have used the last. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts > 1
}

/** Refuses the ambiguous request and closes the connection. */
export const answerTwoHosts = (reply: FastifyReply) =>
  answer(reply.header('connection', 'close'), refusals.badRequest('The request has more than one Host header.'))
