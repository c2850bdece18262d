import { z } from 'zod'
import { defineCall } from '#kit/call.ts'

/** The limits of a new installation. */
export const DEFAULT_LIMITS = { creditsPerDay: 200 }

export const Limits = z.strictObject({
  /** Credits that one worker may add and remove per day, in total, before a passkey is required. */
  creditsPerDay: z.int().min(0).max(100_000),
})
export type Limits = z.infer<typeof Limits>

export const readLimits = defineCall({
  method: 'GET',
  path: '/api/access/limits',
  summary: 'Read the daily limits for workers',
  permission: 'access.manage',
  reply: Limits,
})

export const changeLimits = defineCall({
  method: 'POST',
  path: '/api/access/limits',
  summary: 'Change the daily limits for workers',
  permission: 'access.manage',
  stepUp: true,
  body: Limits,
  reply: Limits,
})
