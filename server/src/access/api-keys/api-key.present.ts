import type { ApiKey } from '@limber/contract/access/api-keys/api-key.ts'
import type { ApiKeyRow } from './api-key.queries.ts'
import { lastDayBefore } from './api-key.rules.ts'

export const presentApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  publicId: row.public_id,
  name: row.name,
  source: row.source,
  scopes: row.scopes,
  networks: row.networks,
  requestsPerMinute: row.requests_per_minute,
  expiresOn: row.expires_at && lastDayBefore(row.expires_at),
  expiresAt: row.expires_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
  revokedAt: row.revoked_at?.toISOString() ?? null,
  revokedBy: row.revoked_by,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  lastUsedAddress: row.last_used_address,
  rotation:
    row.rotated_at && row.old_ends_at
      ? { at: row.rotated_at.toISOString(), by: row.rotated_by, oldEndsAt: row.old_ends_at.toISOString() }
      : null,
  calls: row.calls,
  errors: row.errors,
  version: row.version,
})
