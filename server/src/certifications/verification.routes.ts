import { gzipSync } from 'node:zlib'
import {
  downloadCredential,
  listSigningKeys,
  readAchievement,
  readSigningKey,
  readStatusList,
  type Verification,
  verifyCertification,
} from '@limber/contract/certifications/verification.ts'
import { companyDay, companyZone } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { momentsFromInput } from '@limber/contract/kit/zone-time.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type ReplyFacts, serve } from '#platform/http/routes.ts'
import { verificationUrl } from './certification.present.ts'
import { type CertificationRecord, findByShortId, findRevokedIds, recordOpened } from './certification.queries.ts'
import { parseShortId, publicName, statusOf } from './certification.rules.ts'
import { findPublicType } from './certification-type.queries.ts'
import {
  credentialClaims,
  LIST_BITS,
  presentAchievement,
  statusBits,
  statusListClaims,
  statusPosition,
} from './credential.rules.ts'
import { findKey, findKeys } from './signing-key.queries.ts'
import { presentKey, signClaims } from './signing-key.ts'

/** Finds a certification by short id and records the first opening, after which it can no longer be deleted. */
async function openByShortId(
  call: typeof verifyCertification | typeof downloadCredential,
  db: Db,
  text: string,
  now: Date,
): Promise<CertificationRecord> {
  const shortId = parseShortId(text)
  const row = shortId && (await findByShortId(db, shortId))
  if (!row) throw refuse(call, 'unknown')
  // A concurrent deletion either comes first or is refused, so nothing is shown that no longer exists.
  if (!row.first_opened_at && !(await recordOpened(db, row.id, now))) throw refuse(call, 'unknown')
  return row
}

/** Midnight of a day in the time zone of the company. */
function startOf(day: string): Date {
  const [start] = momentsFromInput(`${day}T00:00`, companyZone()) ?? []
  if (!start) throw new Error(`${day} has no midnight`)
  return start
}

/** Keys and status lists can be fetched from any origin. */
function allowAnyOrigin(reply: ReplyFacts, seconds: number) {
  reply.header('access-control-allow-origin', '*')
  reply.header('cross-origin-resource-policy', 'cross-origin')
  reply.header('cache-control', `public, max-age=${seconds}`)
}

export const verificationRoutes = [
  serve(verifyCertification, async ({ params, db, now, services }): Promise<Verification> => {
    const row = await openByShortId(verifyCertification, db, params.shortId, now)
    const url = verificationUrl(services.config.publicUrl, row.short_id)
    const { toDataURL } = await import('qrcode')
    const { name, logo } = services.company.current()
    return {
      shortId: row.short_id,
      company: { name, logo },
      holder: publicName(row.name, row),
      certificationName: row.type_name,
      description: row.type_description,
      instructor: row.instructor,
      dateIssued: row.issued_on,
      validUntil: row.valid_until,
      status: statusOf(row, companyDay(now)),
      revokedOn: row.revoked_at && companyDay(row.revoked_at),
      verificationUrl: url,
      qrCodeDataURL: await toDataURL(url, { margin: 0, scale: 8 }),
    }
  }),

  serve(downloadCredential, async ({ params, db, now, services, reply }) => {
    const row = await openByShortId(downloadCredential, db, params.shortId, now)
    const status = statusOf(row, companyDay(now))
    if (status !== 'valid') throw refuse(downloadCredential, 'not_valid', { values: { status } })
    const { publicUrl } = services.config
    const jwt = await signClaims(
      services,
      credentialClaims({
        issuer: publicUrl,
        url: verificationUrl(publicUrl, row.short_id),
        holder: publicName(row.name, row),
        type: { id: row.type_id, name: row.type_name, description: row.type_description },
        instructor: row.instructor,
        validFrom: startOf(row.issued_on),
        validUntil: row.valid_until === null ? null : startOf(addDays(row.valid_until, 1)),
        status: statusPosition(row.id),
      }),
    )
    reply.header('content-type', 'application/vc+jwt')
    reply.header('content-disposition', `attachment; filename="certification-${row.short_id}.jwt"`)
    return jwt
  }),

  serve(readAchievement, async ({ params, db, services, reply }) => {
    const type = await findPublicType(db, params.id)
    if (!type) throw refuse(readAchievement, 'unknown')
    allowAnyOrigin(reply, 600)
    return presentAchievement(services.config.publicUrl, type)
  }),

  serve(listSigningKeys, async ({ db, services, reply }) => {
    allowAnyOrigin(reply, 600)
    return { keys: (await findKeys(db)).map((key) => presentKey(services.config.publicUrl, key)) }
  }),

  serve(readSigningKey, async ({ params, db, services, reply }) => {
    const key = await findKey(db, params.keyId)
    if (!key) throw refuse(readSigningKey, 'unknown')
    allowAnyOrigin(reply, 86_400)
    return presentKey(services.config.publicUrl, key)
  }),

  serve(readStatusList, async ({ params: { list }, db, now, services, reply }) => {
    const first = list * LIST_BITS
    const revoked = await findRevokedIds(db, first, first + LIST_BITS)
    const bits = statusBits(revoked.map((id) => id - first))
    const encoded = `u${gzipSync(bits).toString('base64url')}`
    allowAnyOrigin(reply, 300)
    reply.header('content-type', 'application/vc+jwt')
    return signClaims(services, statusListClaims(services.config.publicUrl, list, encoded, now))
  }),
]
