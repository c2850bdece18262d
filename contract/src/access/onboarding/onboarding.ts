import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Id } from '#kit/values.ts'
import { PASSKEY_BODY, PasskeyCreation, PasskeyResponse } from '../passkeys/passkey.ts'
import { Code } from '../sign-in/sign-in.ts'

// Accepts any text, so that a malformed token and an unknown one get the same reply.
const LinkToken = z.string().max(200)
const body = z.strictObject({ token: LinkToken })

const refusals = { bad_link: [401, 'Invalid onboarding link. Please request a new one.'] } as const
const passkeyFailed = [401, "Couldn't register this passkey. Try again or use another device."] as const
const limit = { by: 'address', times: 60, seconds: 60 } as const

/** The progress of the link. The screen derives its step from this alone. */
export const OnboardingStatus = z.object({
  hasPasskey: z.boolean(),
  has2FA: z.boolean(),
  hasMultiDeviceAuth: z.boolean(),
})

export const verifyOnboarding = defineCall({
  method: 'POST',
  path: '/api/onboarding/verify-credentials',
  summary: 'Check an onboarding link and its progress',
  permission: 'public',
  body,
  reply: OnboardingStatus.extend({
    message: z.string(),
    name: z.string(),
    email: z.string(),
    /** A recovery replaces the worker's passkeys and two-factor secret. */
    isRecovery: z.boolean(),
    /** Passkeys registered with this link so far; a second one is offered after multi-device. */
    passkeys: z.int(),
  }),
  refusals,
  limit,
})

export const startOnboardingPasskey = defineCall({
  method: 'POST',
  path: '/onboarding/webauth/register/start',
  summary: 'Start registering the first passkey, or another one after multi-device',
  permission: 'public',
  body,
  reply: z.object({ options: PasskeyCreation }),
  refusals: {
    ...refusals,
    has_passkey: [409, 'A passkey is already registered. Continue with the next step.'],
    slow_down: [429, 'Too many attempts today. Try again tomorrow or ask for a new link.'],
  },
  limit,
})

export const finishOnboardingPasskey = defineCall({
  method: 'POST',
  path: '/onboarding/webauth/register/finish',
  summary: 'Submit the new passkey',
  permission: 'public',
  body: z.strictObject({ token: LinkToken, credential: PasskeyResponse }),
  reply: OnboardingStatus.extend({ success: z.literal(true) }),
  refusals: {
    ...refusals,
    passkey_failed: passkeyFailed,
    has_passkey: [409, 'A passkey is already registered. Continue with the next step.'],
  },
  bodyLimit: PASSKEY_BODY,
  limit,
})

/** The secret for an authenticator app, shown once. */
export const Mfa = z.object({
  qrCodeDataURL: z.string(),
  /** For manual entry. */
  secret: z.string(),
})
export type Mfa = z.infer<typeof Mfa>

export const setMfa = defineCall({
  method: 'POST',
  path: '/api/onboarding/set-mfa',
  summary: 'Generate a two-factor secret and show it once',
  permission: 'public',
  body,
  reply: z.object({
    mfa: Mfa,
  }),
  refusals: {
    ...refusals,
    passkey_first: [409, 'Register a passkey first.'],
    has_2fa: [409, 'Two-factor authentication is already set up. Continue with the next step.'],
  },
  limit,
})

export const confirmMfa = defineCall({
  method: 'POST',
  path: '/api/onboarding/confirm-mfa',
  summary: 'Confirm the authenticator app with a code',
  permission: 'public',
  body: z.strictObject({ token: LinkToken, code: Code }),
  reply: OnboardingStatus.extend({ success: z.literal(true) }),
  refusals: {
    ...refusals,
    wrong_code: [401, 'Incorrect code. Wait for the next code in your app and try again.'],
    no_secret: [409, 'Generate a QR code first.'],
    has_2fa: [409, 'Two-factor authentication is already set up. Continue with the next step.'],
  },
  limit,
})

export const enableMultiDevice = defineCall({
  method: 'POST',
  path: '/api/onboarding/enable-multi-device',
  summary: 'Require a device code for new browsers',
  permission: 'public',
  body,
  reply: OnboardingStatus.extend({ success: z.literal(true) }),
  refusals: { ...refusals, two_factor_first: [409, 'Set up two-factor authentication first.'] },
  limit,
})

export const finalizeOnboarding = defineCall({
  method: 'POST',
  path: '/onboarding/finalize',
  summary: 'Complete onboarding; the link is used and the worker can sign in',
  permission: 'public',
  body,
  reply: z.object({
    worker: z.object({ id: Id, role: z.string().nullable() }),
    /** Shown once. Only hashes are stored. */
    recoveryCodes: z.array(z.string()),
  }),
  refusals: { ...refusals, not_finished: [409, 'Finish every step before you complete onboarding.'] },
  limit,
})

export type OnboardingProgress = ReplyOf<typeof verifyOnboarding>
