import type { createApiKey } from '@limber/contract/access/api-keys/api-key.ts'
import type { BodyOf } from '@limber/contract/kit/call.ts'
import { HOUR, shift } from '#platform/clock.ts'
import type { Work } from '#platform/db/work.ts'
import { hashToken } from '#platform/security/secrets.ts'
import { endSecrets, insertKey, insertSecret, revokeKey } from './api-key.queries.ts'
import { endOfDay, makePublicId, makeSecret, tokenOf } from './api-key.rules.ts'

export type KeyDraft = BodyOf<typeof createApiKey>

type Changing = Pick<Work, 'db' | 'now' | 'audit' | 'publish'>

const about = (id: number) => ({ subject: 'api_key' as const, subjectId: id })

/** Creates a key and returns it as a whole, which happens once; nothing when the name is taken. */
export async function createKey(
  { db, now, audit, publish }: Changing,
  draft: KeyDraft,
  workerId?: number,
): Promise<{ id: number; token: string } | undefined> {
  const public_id = makePublicId()
  const secret = makeSecret()
  const { expiresOn, requestsPerMinute, ...same } = draft
  const expires_at = expiresOn === null ? null : endOfDay(expiresOn)
  const values = { ...same, public_id, expires_at, requests_per_minute: requestsPerMinute }
  const made = await insertKey(db, values, workerId, now)
  if (!made) return undefined
  await insertSecret(db, made.id, hashToken(secret), workerId, now)
  audit({ action: 'api_key_created', ...about(made.id), after: { publicId: public_id, ...draft } })
  publish('api-keys')
  return { id: made.id, token: tokenOf(public_id, secret) }
}

/** Gives a key a second secret. Each older one keeps an earlier end that it already has. */
export async function rotateKey(
  { db, now, audit, publish }: Changing,
  { id, public_id }: { id: number; public_id: string },
  overlapHours: number,
  workerId: number,
): Promise<string> {
  const secret = makeSecret()
  await endSecrets(db, id, shift(now, overlapHours * HOUR))
  await insertSecret(db, id, hashToken(secret), workerId, now)
  audit({ action: 'api_key_rotated', ...about(id), after: { overlapHours } })
  publish('api-keys')
  return tokenOf(public_id, secret)
}

export async function revoke({ db, now, audit, publish }: Changing, id: number, workerId?: number): Promise<void> {
  await revokeKey(db, id, workerId, now)
  audit({ action: 'api_key_revoked', ...about(id) })
  publish('api-keys')
}
