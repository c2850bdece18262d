import { PassThrough, Readable } from 'node:stream'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { checkAlive, checkReady, openLive, readApiPage, readOpenApi, reportPolicy } from '@limber/contract/kit/meta.ts'
import { MINUTE, SECOND } from '../clock.ts'
import { readViolations } from '../security/policy-report.rules.ts'
import { randomToken } from '../security/secrets.ts'
import { makeApiPage } from './api-page.ts'
import { pagePolicy, REPORTING } from './headers.ts'
import { makeOpenApi } from './openapi.ts'
import { refuse } from './refusal.ts'
import { type Route, type SessionFinder, serve } from './routes.ts'

const KEEP_ALIVE = 20 * SECOND
const SESSION_CHECK_EVERY = 1 * MINUTE
const READY_WITHIN = 1.5 * SECOND

/** Health, live updates and the description of the API. */
export const metaRoutes = (calls: readonly CallDefinition[], sessions: SessionFinder): Route[] => [
  serve(checkAlive, () => ({ status: 'ok' as const })),
  serve(checkReady, async ({ services: { pool, log, isStopping } }) => {
    if (isStopping) throw refuse(checkReady, 'stopping', { retryAfter: 2 })
    const problem = await pool.findWriteProblem(READY_WITHIN)
    if (problem) throw refuse(checkReady, problem, { retryAfter: 2 })
    const loss = log.loss()
    if (!loss) return { status: 'ready' as const }
    return { status: 'degraded' as const, problems: [`The log cannot be written: ${loss.reason}`] }
  }),
  serve(readOpenApi, ({ services }) => makeOpenApi(calls, services.config.publicUrl)),
  serve(readApiPage, ({ reply }) => {
    const nonce = randomToken(16)
    reply.header('content-security-policy', pagePolicy(nonce))
    reply.header('reporting-endpoints', REPORTING)
    reply.header('content-type', 'text/html; charset=utf-8')
    return Readable.from([makeApiPage(calls, nonce)])
  }),
  serve(reportPolicy, ({ request, services }) => {
    const violations = readViolations(request.bytes)
    if (!violations) throw refuse(reportPolicy, 'malformed')
    const [first] = violations
    // One line per request, so that forged reports cannot flood the log.
    if (first) {
      const { directive, blocked, page } = first
      const fields = { code: directive, reason: blocked, url: page, count: violations.length }
      services.log.warn('content security policy violated', fields)
    }
    return {}
  }),
  serve(openLive, ({ worker, request, reply, services }) => {
    const stream = new PassThrough()
    const token = request.cookie('sid') ?? ''
    const alive = setInterval(() => stream.write(': alive\n\n'), KEEP_ALIVE)
    // Stop the stream of a session that ended elsewhere.
    const sessionCheck = setInterval(() => {
      sessions.find(token, services.clock.now()).then((found) => found ?? end(), end)
    }, SESSION_CHECK_EVERY)
    const stop = services.live.listen({
      workerId: worker.workerId,
      permissions: worker.permissions,
      send: (_, text) => stream.write(`data: ${text}\n\n`),
      end: (why) => {
        if (why) stream.write(`data: ${JSON.stringify({ topic: why })}\n\n`)
        end()
      },
    })
    const close = () => {
      stop()
      clearInterval(alive)
      clearInterval(sessionCheck)
    }
    // A write after the end would cut the connection before the browser reads the last message.
    const end = () => {
      close()
      stream.end()
    }
    stream.once('close', close)
    request.raw.once('close', () => stream.destroy())
    reply.header('content-type', 'text/event-stream; charset=utf-8')
    reply.header('x-accel-buffering', 'no')
    stream.write('retry: 2000\n\n')
    return stream
  }),
]
