import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Id, Moment } from '#kit/values.ts'
import { PASSKEY_BODY, PasskeyRequest, PasskeyResponse } from '../passkeys/passkey.ts'

/** Who is signed in. Any signed-in worker may ask, one without a single permission too. */
export const checkSession = defineCall({
  method: 'GET',
  path: '/api/auth/check',
  summary: 'Read who is signed in and their permissions',
  permission: 'signed-in',
  reply: z.object({
    worker: z.object({
      permissions: z.array(z.string()),
      name: z.string(),
      email: z.string(),
      role: z.string().nullable(),
    }),
    workerId: Id,
    /** Until when calls that ask for a fresh passkey are open; null when there was none lately. */
    steppedUpUntil: Moment.nullable(),
    /** What this installation is: the sample company says so on the screen. */
    isSample: z.boolean(),
    /** Without one no mail arrives, and screens must not promise any. */
    hasMailServer: z.boolean(),
  }),
})
export type Session = ReplyOf<typeof checkSession>

/** Ends this session on the server; the cookies go with the reply. */
export const signOut = defineCall({
  method: 'POST',
  path: '/api/auth/sign-out',
  summary: 'Sign out of this browser',
  permission: 'signed-in',
  body: z.strictObject({}),
  reply: z.object({ success: z.literal(true) }),
})

export const signOutEverywhere = defineCall({
  method: 'POST',
  path: '/api/auth/sign-out-everywhere',
  summary: 'Sign out of every browser, including this one',
  permission: 'signed-in',
  body: z.strictObject({}),
  reply: z.object({ success: z.literal(true), ended: z.int() }),
})

export const startStepUp = defineCall({
  method: 'POST',
  path: '/api/auth/step-up/start',
  summary: 'Get a challenge to confirm with a passkey',
  permission: 'signed-in',
  body: z.strictObject({}),
  reply: z.object({ options: PasskeyRequest }),
  refusals: { no_passkey: [409, 'You have no passkey to confirm with.'] },
  limit: { by: 'worker', times: 30, seconds: 60 },
})

/** The session gets a new id, so its cookies change with this reply. */
export const finishStepUp = defineCall({
  method: 'POST',
  path: '/api/auth/step-up/finish',
  summary: 'Confirm with a passkey; unlocks protected calls for ten minutes',
  permission: 'signed-in',
  body: z.strictObject({ credential: PasskeyResponse }),
  reply: z.object({ success: z.literal(true), csrfToken: z.string(), steppedUpUntil: Moment }),
  refusals: { passkey_failed: [403, "Couldn't confirm your passkey. Try again."] },
  bodyLimit: PASSKEY_BODY,
})
