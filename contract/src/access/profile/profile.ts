import { z } from 'zod'
import { defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { Email, Id, IdText, Line, Moment, Version } from '#kit/values.ts'
import { PASSKEY_BODY, PasskeyCreation, PasskeyResponse } from '../passkeys/passkey.ts'

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  createdAt: Moment,
  lastUsedAt: Moment.nullable(),
  /** Synced by a password manager or platform account, so it survives the loss of the device. */
  isBackedUp: z.boolean(),
})
export type Passkey = z.infer<typeof Passkey>

export const SignedInSession = z.object({
  id: Id,
  createdAt: Moment,
  lastSeenAt: Moment,
  address: z.string().nullable(),
  browser: z.string().nullable(),
  isCurrent: z.boolean(),
})
export type SignedInSession = z.infer<typeof SignedInSession>

export const Device = z.object({
  id: Id,
  label: z.string(),
  createdAt: Moment,
  lastUsedAt: Moment,
  expiresAt: Moment,
  isCurrent: z.boolean(),
})
export type Device = z.infer<typeof Device>

export const HeldPermission = z.object({ code: z.string(), words: z.string() })

const done = z.object({ success: z.literal(true) })
const params = z.strictObject({ id: IdText })
const passkeyGone = [404, 'This passkey no longer exists. Reload the page.'] as const

export const readProfile = defineCall({
  method: 'GET',
  path: '/api/profile',
  summary: 'Read my account: permissions, passkeys, sessions and browsers',
  permission: 'signed-in',
  reply: z.object({
    id: Id,
    name: z.string(),
    email: z.string(),
    role: z.string().nullable(),
    /** Sent back when name or email change. */
    version: Version,
    permissions: z.array(HeldPermission),
    passkeys: z.array(Passkey),
    sessions: z.array(SignedInSession),
    devices: z.array(Device),
    recoveryCodesLeft: z.int(),
    multiDeviceAt: Moment.nullable(),
  }),
})
export type Profile = ReplyOf<typeof readProfile>

/** Owners edit themselves because there may be no one else who can. Others ask a colleague who manages access. */
export const correctProfile = defineCall({
  method: 'PATCH',
  path: '/api/profile',
  summary: 'Change my name or email, for Owners; both addresses get an email',
  permission: 'signed-in',
  stepUp: true,
  body: z.strictObject({ name: Line(120), email: Email, version: Version }),
  reply: done,
  refusals: {
    not_owner: [403, 'Ask a colleague who manages access to change your name or email.'],
    taken: [409, 'Another worker already uses this email.'],
    stale: staleRefusal('your account', z.object({ name: z.string(), email: z.string(), version: Version })),
  },
})

export const startAddPasskey = defineCall({
  method: 'POST',
  path: '/api/profile/passkeys/start',
  summary: 'Start adding a passkey to my account',
  permission: 'signed-in',
  stepUp: true,
  body: z.strictObject({}),
  reply: z.object({ options: PasskeyCreation }),
  refusals: { slow_down: [429, 'Too many attempts today. Try again tomorrow.'] },
})

export const finishAddPasskey = defineCall({
  method: 'POST',
  path: '/api/profile/passkeys/finish',
  summary: 'Submit the new passkey',
  permission: 'signed-in',
  stepUp: true,
  body: z.strictObject({ credential: PasskeyResponse, name: Line(60).optional() }),
  reply: z.object({ passkey: Passkey }),
  refusals: { passkey_failed: [422, "Couldn't register this passkey. Try again or use another device."] },
  bodyLimit: PASSKEY_BODY,
})

export const renamePasskey = defineCall({
  method: 'PATCH',
  path: '/api/profile/passkeys/:id',
  summary: 'Rename one of my passkeys',
  permission: 'signed-in',
  params,
  body: z.strictObject({ name: Line(60) }),
  reply: z.object({ passkey: Passkey }),
  refusals: { not_found: passkeyGone },
})

export const removePasskey = defineCall({
  method: 'DELETE',
  path: '/api/profile/passkeys/:id',
  summary: 'Remove one of my passkeys; the last one stays',
  permission: 'signed-in',
  stepUp: true,
  params,
  reply: done,
  refusals: {
    not_found: passkeyGone,
    last_passkey: [409, 'This is your only passkey. Add another one before you remove it.'],
  },
})

export const endMySession = defineCall({
  method: 'DELETE',
  path: '/api/profile/sessions/:id',
  summary: 'End one of my sessions',
  permission: 'signed-in',
  params,
  reply: done,
  refusals: { not_found: [404, 'This session has already ended. Reload the page.'] },
})

export const revokeMyDevice = defineCall({
  method: 'DELETE',
  path: '/api/profile/devices/:id',
  summary: 'Forget one of my browsers; its next sign-in needs a device code',
  permission: 'signed-in',
  params,
  reply: done,
  refusals: { not_found: [404, 'This browser was already forgotten. Reload the page.'] },
})

export const renewRecoveryCodes = defineCall({
  method: 'POST',
  path: '/api/profile/recovery-codes',
  summary: 'Generate ten new recovery codes; the old ones stop working',
  permission: 'signed-in',
  stepUp: true,
  body: z.strictObject({}),
  /** Shown once. Only hashes are stored. */
  reply: z.object({ recoveryCodes: z.array(z.string()) }),
})
