import type { FastifyReply, FastifyRequest } from 'fastify'
import { failureBody, refusals } from './refusal.ts'

/** Is a part of the body still to come? Answered now, the connection cannot be used again, nor held by what never ends. */
export const bringsMore = ({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>) =>
  !raw.complete && (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0')

/** Says that there is nothing at this path. */
export const answerNotFound = (reply: FastifyReply) =>
  reply
    .code(404)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(failureBody(refusals.notFound())))
