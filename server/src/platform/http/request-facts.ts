import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../db/work.ts'
import { normalizeIp } from '../security/client-address.ts'
import type { Services } from '../services.ts'
import { cookieLine, cookieName } from './cookies.ts'
import type { ReplyFacts, RequestFacts } from './routes.ts'

/** The actor of a call, for the audit log. */
export const actorOf = (call: string, request: FastifyRequest): Actor => ({
  call,
  workerId: request.caller?.workerId,
  workerName: request.caller?.name ?? (request.apiKey ? `API key ${request.apiKey.name}` : undefined),
  address: normalizeIp(request.ip),
  requestId: request.id,
  source: request.apiKey?.source,
})

export function requestFacts({ config }: Services, request: FastifyRequest, raw = Buffer.alloc(0)): RequestFacts {
  const { cookies } = request
  return {
    id: request.id,
    address: normalizeIp(request.ip),
    browser: (request.headers['user-agent'] ?? '').slice(0, 300),
    cookie: (name) => cookies.get(cookieName(config, name)),
    bytes: raw,
    raw: request.raw,
  }
}

export function replyFacts({ config }: Services, reply: FastifyReply): ReplyFacts {
  return {
    setCookie: (name, value, options) => void reply.header('set-cookie', cookieLine(config, name, value, options)),
    clearCookie: (name) =>
      void reply.header('set-cookie', cookieLine(config, name, '', { httpOnly: name !== 'csrf', maxAge: 0 })),
    header: (name, value) => void reply.header(name, value),
    status: (code) => void reply.code(code),
  }
}
