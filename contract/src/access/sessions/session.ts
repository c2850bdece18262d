import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { weekStarts } from '#kit/company-time.ts'
import { Id, Moment } from '#kit/values.ts'
import { PASSKEY_BODY, PasskeyRequest, PasskeyResponse } from '../passkeys/passkey.ts'

/** Open to every signed-in worker, even without any permission. */
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
    /** Until then, step-up calls need no new passkey confirmation. Null when there was no recent one. */
    steppedUpUntil: Moment.nullable(),
    /** The sample company shows a notice on every screen. */
    isSample: z.boolean(),
    /** Without one, screens must not promise an email. */
    hasMailServer: z.boolean(),
    /** How screens name the company and count its days. */
    company: z.object({
      name: z.string(),
      timeZone: z.string(),
      weekStartsOn: z.enum(weekStarts),
      state: z.string(),
      logo: z.string().nullable(),
      /** Where maps start. */
      mapStart: z.object({ longitude: z.number(), latitude: z.number() }).nullable(),
    }),
  }),
})
export type Session = ReplyOf<typeof checkSession>

/** The reply clears the cookies. */
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

/** The session gets a new token, so this reply sets new cookies. */
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
