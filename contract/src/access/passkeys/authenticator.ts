import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { Mfa } from '../onboarding/onboarding.ts'
import { Code } from '../sign-in/sign-in.ts'

export const startAuthenticator = defineCall({
  method: 'POST',
  path: '/api/profile/authenticator/start',
  summary: 'Make a secret for a new authenticator app; the old one works until the new one is proven',
  permission: 'signed-in',
  stepUp: true,
  body: z.strictObject({}),
  reply: z.object({ mfa: Mfa }),
  refusals: { slow_down: [429, 'Too many tries today. Come back tomorrow.'] },
})

export const confirmAuthenticator = defineCall({
  method: 'POST',
  path: '/api/profile/authenticator/confirm',
  summary: 'Prove the new authenticator app with a code; it takes the place of the old one',
  permission: 'signed-in',
  stepUp: true,
  body: z.strictObject({ code: Code }),
  reply: z.object({ success: z.literal(true) }),
  refusals: {
    no_secret: [409, 'The QR code is too old, or too many codes were wrong. Generate a new one.'],
    wrong_code: [422, 'That code is not right. Wait for the next one in your app and try again.'],
  },
})
