import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { Email } from '#kit/values.ts'

/** `hasMailServer` is a fact about the installation. It reveals nothing about the email. */
const reply = z.object({ success: z.literal(true), message: z.string(), hasMailServer: z.boolean() })
const limit = { by: 'address', times: 10, seconds: 60 } as const

/** The reply never depends on the email, on the number of requests, or on whether email delivery works. */
export const requestRecovery = defineCall({
  method: 'POST',
  path: '/api/recovery/request',
  summary: 'Request to recover access; a colleague who manages access decides',
  permission: 'public',
  body: z.strictObject({ email: Email }),
  reply,
  limit,
})

/** The reply never says whether the code was correct. Only the email shows it. */
export const redeemRecoveryCode = defineCall({
  method: 'POST',
  path: '/api/recovery/redeem',
  summary: 'Recover access with a recovery code; a new link is emailed',
  permission: 'public',
  body: z.strictObject({ email: Email, code: z.string().max(60) }),
  reply,
  limit,
})

export const RECOVERY_REQUESTED =
  'If this email belongs to a worker, the people who manage access have been notified. You will get a new link by email once one of them approves.'
export const RECOVERY_REDEEMED = 'If the email and the code are correct, a new link is on its way to your inbox.'
/** The same texts for an installation without a mail server. */
export const RECOVERY_REQUESTED_WITHOUT_MAIL =
  'If this email belongs to a worker, the people who manage access can see the request. A new link is created once one of them approves.'
export const RECOVERY_REDEEMED_WITHOUT_MAIL = 'If the email and the code are correct, a new link was created.'
