import { z } from 'zod'

export const Transport = z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])
export type Transport = z.infer<typeof Transport>

const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(Transport),
})

/** The options with which the browser creates a passkey. Binary values are base64url. */
export const PasskeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('preferred'),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type PasskeyCreation = z.infer<typeof PasskeyCreation>

/** The options with which the browser uses a passkey. */
export const PasskeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  allowCredentials: z.array(Descriptor),
  userVerification: z.literal('required'),
})
export type PasskeyRequest = z.infer<typeof PasskeyRequest>

/**
 * The authenticator's response as JSON. The server checks it itself and records the exact fault only in the audit log,
 * so that every fault gets the same reply.
 */
export const PasskeyResponse = z
  .unknown()
  .describe('RegistrationResponseJSON or AuthenticationResponseJSON of WebAuthn')

/** Real responses are a few kilobytes. */
export const PASSKEY_BODY = 64 * 1024
