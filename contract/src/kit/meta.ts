import { z } from 'zod'
import { defineCall } from './call.ts'

/** Does not query the database. */
export const checkAlive = defineCall({
  method: 'GET',
  path: '/healthz',
  summary: 'Check that the process is alive',
  permission: 'public',
  reply: z.object({ status: z.literal('ok') }),
})

export const checkReady = defineCall({
  method: 'GET',
  path: '/readyz',
  summary: 'Check that the process is ready: the database is reachable, writable and up to date',
  permission: 'public',
  // Degraded: calls work, but something around them does not, such as the log.
  reply: z.object({ status: z.enum(['ready', 'degraded']), problems: z.array(z.string()).optional() }),
  refusals: {
    not_ready: [503, 'The service is starting, or it cannot reach its database.'],
    read_only: [503, 'The database is read-only.'],
    disk_full: [503, 'The database has no disk space left.'],
    stopping: [503, 'The process is stopping.'],
  },
})

export const openLive = defineCall({
  method: 'GET',
  path: '/api/live',
  summary: 'Stream live updates as server-sent events',
  permission: 'signed-in',
  isUnattended: true,
  reply: z.unknown(),
  replyType: 'stream',
})

export const readOpenApi = defineCall({
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'Describe this API as OpenAPI 3.1',
  permission: 'signed-in-or-key',
  reply: z.record(z.string(), z.unknown()),
})

export const readApiPage = defineCall({
  method: 'GET',
  path: '/api/docs',
  summary: 'Describe this API as a page',
  permission: 'signed-in-or-key',
  reply: z.unknown(),
  replyType: 'stream',
})

/** The browsers' Reporting API. Browsers send these reports on their own, without a session. */
export const reportPolicy = defineCall({
  method: 'POST',
  path: '/api/policy-reports',
  summary: 'Receive Content Security Policy violations reported by browsers',
  permission: 'public',
  machine: true,
  reads: true,
  bodyType: 'reports',
  bodyLimit: 32 * 1024,
  limit: { by: 'address', times: 30, seconds: 60 },
  reply: z.object({}),
  refusals: { malformed: [400, 'The body must be a list of reports.'] },
})
