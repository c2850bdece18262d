import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Day, IdText, IntegerText } from '#kit/values.ts'
import { CertificationStatus } from './certification.ts'

// Only the length is checked, so that a malformed short id gets the same 404 as an unknown one.
const params = z.strictObject({ shortId: z.string().max(200) })
const limit = { by: 'address', times: 30, seconds: 60 } as const
const unknown = [404, 'No certification has this ID. Check the link, or ask the person who gave it to you.'] as const

/** Public data: enough to trust a certification, not enough to identify the person. */
export const verifyCertification = defineCall({
  method: 'GET',
  path: '/api/verify/:shortId',
  summary: 'Verify a certification: the data of its public page',
  permission: 'public',
  params,
  limit,
  reply: z.object({
    shortId: z.string(),
    /** The company that issued it; its name is empty until someone fills it in. */
    company: z.object({ name: z.string(), logo: z.string().nullable() }),
    /** First name and initial of the name on the certificate. */
    holder: z.string(),
    certificationName: z.string(),
    description: z.string(),
    instructor: z.string(),
    dateIssued: Day,
    validUntil: Day.nullable(),
    status: CertificationStatus,
    revokedOn: Day.nullable(),
    verificationUrl: z.url(),
    /** The verification URL as a QR code image. */
    qrCodeDataURL: z.string(),
  }),
  refusals: { unknown },
})
export type Verification = ReplyOf<typeof verifyCertification>

/** For wallets and other programs. */
export const downloadCredential = defineCall({
  method: 'GET',
  path: '/api/verify/:shortId/credential',
  summary: 'Download a certification as a signed Open Badges 3.0 credential (JWT)',
  permission: 'public',
  params,
  limit,
  reply: z.unknown(),
  replyType: 'stream',
  refusals: {
    unknown,
    not_valid: [409, 'Only a valid certification can be downloaded. This one is {status}.'],
  },
})

const Achievement = z.object({
  '@context': z.array(z.url()),
  id: z.url(),
  type: z.array(z.string()),
  achievementType: z.string(),
  name: z.string(),
  description: z.string(),
  criteria: z.object({ narrative: z.string() }),
})

/** Signed credentials contain this URL, so it must never change. */
export const readAchievement = defineCall({
  method: 'GET',
  path: '/certifications/types/:id',
  summary: 'Get the achievement that a credential names (Open Badges 3.0)',
  permission: 'public',
  params: z.strictObject({ id: IdText }),
  limit: { by: 'address', times: 120, seconds: 60 },
  reply: Achievement,
  refusals: { unknown: [404, 'This achievement does not exist.'] },
})

const Jwk = z.object({
  kty: z.literal('RSA'),
  n: z.string(),
  e: z.string(),
  alg: z.literal('RS256'),
  use: z.literal('sig'),
  kid: z.url(),
})
export type Jwk = z.infer<typeof Jwk>

/** Includes retired keys, so that older credentials still verify. */
export const listSigningKeys = defineCall({
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'List the public keys of credentials',
  permission: 'public',
  limit: { by: 'address', times: 120, seconds: 60 },
  reply: z.object({ keys: z.array(Jwk) }),
})

export const readSigningKey = defineCall({
  method: 'GET',
  path: '/.well-known/jwks/:keyId',
  summary: 'Get the public key that a credential names',
  permission: 'public',
  params: z.strictObject({ keyId: z.string().max(100) }),
  limit: { by: 'address', times: 120, seconds: 60 },
  reply: Jwk,
  refusals: { unknown: [404, 'This key does not exist.'] },
})

/** One bit per credential. A verifier fetches the whole list and so does not reveal which credential it checks. */
export const readStatusList = defineCall({
  method: 'GET',
  path: '/.well-known/credential-status/:list',
  summary: 'Get the revoked credentials as a signed W3C bitstring status list (JWT)',
  permission: 'public',
  params: z.strictObject({ list: IntegerText(0, 10_000) }),
  limit: { by: 'address', times: 60, seconds: 60 },
  reply: z.unknown(),
  replyType: 'stream',
})
