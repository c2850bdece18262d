import { updateApiKey } from '@limber/contract/access/api-keys/api-key.ts'
import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'
import { lastDayBefore } from './api-key.rules.ts'

const fields = ['name', 'scopes', 'expiresOn', 'networks', 'requestsPerMinute'] as const

export const apiKeyHistory: RecordHistory = {
  subject: 'api_key',
  async read(db, id) {
    const key = await db
      .selectFrom('api_keys')
      .select(['name', 'scopes', 'expires_at', 'networks', 'requests_per_minute', 'version'])
      .where('id', '=', numericId(id))
      .executeTakeFirst()
    if (!key) return
    const { expires_at, requests_per_minute: requestsPerMinute, ...rest } = key
    return {
      name: key.name,
      values: { ...rest, requestsPerMinute, expiresOn: expires_at && lastDayBefore(expires_at) },
    }
  },
  fields: [
    { name: 'name', label: 'Name' },
    { name: 'scopes', label: 'Scopes' },
    { name: 'expiresOn', label: 'Last day', kind: 'day' },
    { name: 'networks', label: 'Networks' },
    { name: 'requestsPerMinute', label: 'Requests per minute' },
  ],
  actions: {
    api_key_created: 'created this key',
    api_key_changed: CHANGED,
    api_key_rotated: 'rotated the secret',
    api_key_revoked: 'revoked the key',
  },
  restores: [
    {
      ...{ call: updateApiKey, fields },
      input: (id, values, { version }) => ({ params: { id }, body: { ...values, version } }),
    },
  ],
}
