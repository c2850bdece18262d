import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { Email, Id } from '#kit/values.ts'
import { PASSKEY_BODY, PasskeyCreation, PasskeyRequest, PasskeyResponse } from '../passkeys/passkey.ts'

/** One text for every failed sign-in step, so that an attacker learns nothing from it. */
export const SIGN_IN_FAILED =
  "Couldn't sign you in. Check what you entered and try again, or start over. If it keeps failing, ask for a new onboarding link."

const refusals = {
  sign_in_failed: [401, SIGN_IN_FAILED],
  slow_down: [429, 'Too many failed attempts. Wait a moment and try again.'],
} as const

/** The token of a sign-in attempt. It is valid for the next step only and rotates with each step. */
export const SessionToken = z.string().min(20).max(100)
/** Six ASCII digits. */
export const Code = z.string().regex(/^[0-9]{6}$/, 'must be 6 digits')
const Claim = z.string().min(1).max(100)

const next = { success: z.literal(true), sessionToken: z.string(), csrfToken: z.string() }

export const verifyCredentials = defineCall({
  method: 'POST',
  path: '/api/auth/verify-credentials',
  summary: 'Start signing in; unknown browsers get the same reply for every email',
  permission: 'public',
  body: z.strictObject({ email: Email }),
  reply: z.object({
    userId: z.string(),
    deviceId: z.string(),
    sessionToken: z.string(),
    csrfToken: z.string(),
    requiresPasskeySetup: z.boolean(),
    requiresDeviceAuth: z.boolean(),
    /** Null unless the browser is known for this worker. */
    options: PasskeyRequest.nullable(),
    /** A fact about the installation. It reveals nothing about the email. */
    hasMailServer: z.boolean(),
  }),
  refusals: { slow_down: refusals.slow_down },
  limit: { by: 'address', times: 40, seconds: 60 },
  bodyLimit: 4 * 1024,
})

export const resendDeviceCode = defineCall({
  method: 'POST',
  path: '/api/auth/resend-device-code',
  summary: 'Email a new device code; the old one stops working',
  permission: 'attempt',
  body: z.strictObject({ sessionToken: SessionToken }),
  reply: z.object(next),
  refusals,
  limit: { by: 'address', times: 40, seconds: 60 },
})

export const verifyDeviceAuth = defineCall({
  method: 'POST',
  path: '/api/auth/verify-device-auth',
  summary: 'Verify the emailed device code',
  permission: 'attempt',
  body: z.strictObject({ email: Email, code: Code, deviceId: Claim, sessionToken: SessionToken }),
  reply: z.object({
    ...next,
    requiresPasskeySetup: z.boolean(),
    /** Null when a passkey must be set up first. */
    options: PasskeyRequest.nullable(),
  }),
  refusals,
})

export const startPasskeySetup = defineCall({
  method: 'POST',
  path: '/api/auth/register-passkey/start',
  summary: 'Start passkey setup after the device code, for a worker without a passkey',
  permission: 'attempt',
  body: z.strictObject({ sessionToken: SessionToken }),
  reply: z.object({ options: PasskeyCreation }),
  refusals,
})

export const finishPasskeySetup = defineCall({
  method: 'POST',
  path: '/api/auth/register-passkey/finish',
  summary: 'Submit the new passkey; it becomes active when the sign-in completes',
  permission: 'attempt',
  body: z.strictObject({ credential: PasskeyResponse, sessionToken: SessionToken }),
  reply: z.object({ sessionToken: z.string(), csrfToken: z.string(), options: PasskeyRequest }),
  refusals,
  bodyLimit: PASSKEY_BODY,
})

/** A challenge works once, so a failed or late passkey step needs a new one. */
export const startPasskeyStep = defineCall({
  method: 'POST',
  path: '/api/auth/verify-passkey/start',
  summary: 'Get a new challenge for the passkey step',
  permission: 'attempt',
  body: z.strictObject({ sessionToken: SessionToken }),
  reply: z.object({ options: PasskeyRequest }),
  refusals,
})

export const verifyPasskey = defineCall({
  method: 'POST',
  path: '/api/auth/verify-passkey',
  summary: 'Verify the passkey',
  permission: 'attempt',
  body: z.strictObject({ email: Email, credential: PasskeyResponse, sessionToken: SessionToken }),
  reply: z.object({ ...next, requires2FA: z.literal(true) }),
  refusals,
  bodyLimit: PASSKEY_BODY,
})

export const verifyTwoFactor = defineCall({
  method: 'POST',
  path: '/api/auth/verify-2fa',
  summary: 'Verify the code from the authenticator app',
  permission: 'attempt',
  body: z.strictObject({ userId: Claim, code: Code, sessionToken: SessionToken }),
  reply: z.object(next),
  refusals,
})

export const finalizeLogin = defineCall({
  method: 'POST',
  path: '/api/auth/finalize-login',
  summary: 'Check every step again and open the session',
  permission: 'attempt',
  body: z.strictObject({ userId: Claim, sessionToken: SessionToken }),
  reply: z.object({ success: z.literal(true), workerId: Id }),
  refusals,
})

/** One-click sign-in to the sample company. It works only there and only from the machine that runs it. */
export const signInToSample = defineCall({
  method: 'POST',
  path: '/api/auth/sample-door',
  summary: 'Sign in to the sample company with a one-time key',
  permission: 'public',
  body: z.strictObject({ key: z.string().min(20).max(100) }),
  reply: z.object({ success: z.literal(true), workerId: Id }),
  refusals: { door_closed: [401, 'This link was already used or has expired. Restart Limber to get a new one.'] },
  limit: { by: 'address', times: 20, seconds: 60 },
})
