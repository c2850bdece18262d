import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Moment } from '#kit/values.ts'

/** `not_connected` means deliberately not set up. It is not an error. */
export const HealthStatus = z.enum(['ok', 'warning', 'down', 'not_connected'])
export type HealthStatus = z.infer<typeof HealthStatus>

export const HealthCheck = z.object({
  name: z.string(),
  title: z.string(),
  status: HealthStatus,
  /** The result in one sentence. */
  summary: z.string(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  /** Duration of the probe in milliseconds; null when not connected. */
  latency: z.number().nullable(),
  /** Start of the current status. */
  since: Moment,
  checkedAt: Moment,
  lastError: z.object({ at: Moment, text: z.string() }).nullable(),
  /** The last 24 hours in 15-minute slots, oldest first: the worst status of each slot, or null without a check. */
  history: z.array(HealthStatus.nullable()),
})
export type HealthCheck = z.infer<typeof HealthCheck>

const Health = z.object({
  checks: z.array(HealthCheck),
  /** The most recent check; null before the first one. */
  checkedAt: Moment.nullable(),
  /** The last check is older than the schedule allows, so the statuses may be outdated. */
  isStale: z.boolean(),
})

export const readHealth = defineCall({
  method: 'GET',
  path: '/api/tech/health',
  summary: 'Get the status of every system component, with its last 24 hours',
  permission: 'health.view',
  reply: Health,
})
export type Health = ReplyOf<typeof readHealth>

export const checkHealth = defineCall({
  method: 'POST',
  path: '/api/tech/health/check',
  summary: 'Check every system component now',
  permission: 'health.view',
  body: z.strictObject({}),
  reply: Health,
  limit: { by: 'worker', times: 10, seconds: 60 },
})
