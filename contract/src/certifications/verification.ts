import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Day, IdText, IntegerText } from '#kit/values.ts'
import { CertificationStatus } from './certification.ts'

// Anybody may look, so the length alone is checked: a text that is no short id is as unknown as one that never was.
const params = z.strictObject({ shortId: z.string().max(200) })
const limit = { by: 'address', times: 30, seconds: 60 } as const
const unknown = [404, 'No certification has this ID. Check the link, or ask the person who gave it to you.'] as const

/** What a stranger may know of a certification: enough to trust it, not enough to find the person. */
export const verifyCertification = defineCall({
  method: 'GET',
  path: '/api/verify/:shortId',
  summary: 'Verify a certification: the data of its public page',
  permission: 'public',
  params,
  limit,
  reply: z.object({
    shortId: z.string(),
    /** The name on the certificate, as first name and initial. */
    holder: z.string(),
    certificationName: z.string(),
    description: z.string(),
    instructor: z.string(),
    dateIssued: Day,
    validUntil: Day.nullable(),
    status: CertificationStatus,
    revokedOn: Day.nullable(),
    verificationUrl: z.url(),
    /** The address as a QR code, an image of its own. */
    qrCodeDataURL: z.string(),
  }),
  refusals: { unknown },
})
export type Verification = ReplyOf<typeof verifyCertification>

/** The signed credential, for wallets and other programs. */
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

/** What a credential says its holder achieved. */
const Achievement = z.object({
  '@context': z.array(z.url()),
  id: z.url(),
  type: z.array(z.string()),
  achievementType: z.string(),
  name: z.string(),
  description: z.string(),
  criteria: z.object({ narrative: z.string() }),
})

/** The address stands in signed credentials for good: it must not move. */
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

/** The public keys that credentials were ever signed with: the key id of a credential names one of them. */
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

/** Which credentials were revoked, one bit each: programs look it up without telling which one they mean. */
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
