import { type ApiScope, apiScopes } from '@limber/contract/access/api-keys/scopes.ts'
import type { Db } from '#platform/db/db.ts'
import { hashToken, randomToken } from '#platform/security/secrets.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'
import { insertKey, insertSecret } from './api-key.queries.ts'
import { makePublicId, makeSecret, tokenOf } from './api-key.rules.ts'

export interface ApiKeyDraft {
  name?: string
  source?: string
  scopes?: readonly ApiScope[]
  networks?: readonly string[]
  expiresAt?: Date | null
  requestsPerMinute?: number
  createdBy?: number
  createdAt?: Date
}

/** A key with every scope unless told; returns its token too. */
export async function makeApiKey(db: Db, draft: ApiKeyDraft = {}) {
  const {
    scopes = apiScopes,
    networks = [],
    expiresAt = null,
    requestsPerMinute = 600,
    createdAt = factoryNow(),
  } = draft
  const { name = `Key ${randomToken(4)}`, source = 'app', createdBy } = draft
  const public_id = makePublicId()
  const secret = makeSecret()
  const values = { public_id, name, source, scopes, networks, expires_at: expiresAt }
  const made = await insertKey(db, { ...values, requests_per_minute: requestsPerMinute }, createdBy, createdAt)
  if (!made) throw new Error(`There is an API key ${name} already`)
  await insertSecret(db, made.id, hashToken(secret), createdBy, createdAt)
  return { id: made.id, publicId: public_id, name, token: tokenOf(public_id, secret) }
}
