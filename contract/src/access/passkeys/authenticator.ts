import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { Mfa } from '../onboarding/onboarding.ts'
import { Code } from '../sign-in/sign-in.ts'

export const startAuthenticator = defineCall({
  method: 'POST',
  path: '/api/profile/authenticator/start',
  summary: 'Start replacing the authenticator app; the old one works until the new one is confirmed',
  permission: 'signed-in',
  stepUp: true,
  body: z.strictObject({}),
  reply: z.object({ mfa: Mfa }),
  refusals: { slow_down: [429, 'Too many attempts today. Try again tomorrow.'] },
})

export const confirmAuthenticator = defineCall({
  method: 'POST',
  path: '/api/profile/authenticator/confirm',
  summary: 'Confirm the new authenticator app with a code; it replaces the old one',
  permission: 'signed-in',
  stepUp: true,
  body: z.strictObject({ code: Code }),
  reply: z.object({ success: z.literal(true) }),
  refusals: {
    no_secret: [409, 'The QR code expired or too many codes were incorrect. Generate a new QR code.'],
    wrong_code: [422, 'Incorrect code. Wait for the next code in your app and try again.'],
  },
})
