import type { SavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'
import type { SavedReplyRow } from './saved-reply.queries.ts'

export const presentSavedReply = (row: SavedReplyRow): SavedReply => ({
  id: row.id,
  name: row.name,
  content: row.content,
  actions: row.actions,
  uses: row.uses,
  changedAt: row.changed_at.toISOString(),
  changedBy: row.changed_by,
  version: row.version,
})
