import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Moment } from '#kit/values.ts'

/** `not_connected`: nothing is set up, which is a choice and no fault. */
export const HealthStatus = z.enum(['ok', 'warning', 'down', 'not_connected'])
export type HealthStatus = z.infer<typeof HealthStatus>

export const HealthCheck = z.object({
  name: z.string(),
  title: z.string(),
  status: HealthStatus,
  /** What was found, in one sentence. */
  summary: z.string(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  /** Milliseconds that the probe took; none when nothing is connected. */
  latency: z.number().nullable(),
  /** Since when the status is what it is. */
  since: Moment,
  checkedAt: Moment,
  lastError: z.object({ at: Moment, text: z.string() }).nullable(),
  /** The last 24 hours in quarters of an hour, oldest first: the worst that was found, or nothing. */
  history: z.array(HealthStatus.nullable()),
})
export type HealthCheck = z.infer<typeof HealthCheck>

const Health = z.object({
  checks: z.array(HealthCheck),
  /** The newest check of all; none when nothing was ever checked. */
  checkedAt: Moment.nullable(),
  /** Nobody has looked for longer than the schedule allows: what is shown may no longer hold. */
  isStale: z.boolean(),
})

export const readHealth = defineCall({
  method: 'GET',
  path: '/api/tech/health',
  summary: 'How the parts of the system are, with their last 24 hours',
  permission: 'health.view',
  reply: Health,
})
export type Health = ReplyOf<typeof readHealth>

export const checkHealth = defineCall({
  method: 'POST',
  path: '/api/tech/health/check',
  summary: 'Try every part of the system now',
  permission: 'health.view',
  body: z.strictObject({}),
  reply: Health,
  limit: { by: 'worker', times: 10, seconds: 60 },
})
