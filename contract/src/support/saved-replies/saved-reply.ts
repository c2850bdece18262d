import { z } from 'zod'
import { type BodyOf, defineCall, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Id, IdText, Line, Moment, Text, Version } from '#kit/values.ts'
import { MAX_MESSAGE_LENGTH } from '../tickets/ticket.ts'
import { MacroAction, MacroActions } from './macro.ts'

/**
 * A reusable reply text. Placeholders such as `{first name}` are filled in when it is inserted. With actions it is a macro:
 * they run when it is sent from the list of saved replies.
 */
export const SavedReply = z.object({
  id: Id,
  name: z.string(),
  content: z.string(),
  actions: z.array(MacroAction),
  /** How often it was sent with its actions. */
  uses: z.int(),
  changedAt: Moment,
  changedBy: z.string(),
  version: Version,
})
export type SavedReply = z.infer<typeof SavedReply>

/** Beyond this, a list is too long to find a reply in. */
export const MAX_SAVED_REPLIES = 200

const fields = {
  name: Line(80),
  content: Text(MAX_MESSAGE_LENGTH),
  /** Left out: none in a new reply, unchanged in a stored one. */
  actions: MacroActions.optional(),
}
// Workers who may write to many customers at once also maintain the shared replies.
const permission = 'notifications.send' as const
const params = z.strictObject({ id: IdText })
const notFound = [404, 'This saved reply does not exist.'] as const
const nameTaken = [409, 'Another saved reply has this name.'] as const
const stale = staleRefusal('this saved reply', SavedReply)
const badAction = [422, 'A tag or a worker of the actions does not exist anymore.'] as const

export const listSavedReplies = defineCall({
  method: 'GET',
  path: '/api/support/saved-replies',
  summary: 'Saved replies by name',
  permission: 'tickets.handle',
  reply: z.array(SavedReply),
})

export const exportSavedReplies = exportCall(listSavedReplies, 'saved-replies')

export const createSavedReply = defineCall({
  method: 'POST',
  path: '/api/support/saved-replies',
  summary: 'Save a reply under a unique name',
  permission,
  body: z.strictObject(fields),
  reply: SavedReply,
  refusals: {
    name_taken: nameTaken,
    bad_action: badAction,
    too_many: [422, `You have reached the limit of ${MAX_SAVED_REPLIES} saved replies. Delete one first.`],
  },
})
export type SavedReplyDraft = BodyOf<typeof createSavedReply>

export const updateSavedReply = defineCall({
  method: 'PUT',
  path: '/api/support/saved-replies/:id',
  summary: 'Change the name, the text or the actions of a saved reply',
  permission,
  params,
  body: z.strictObject({ ...fields, version: Version }),
  reply: SavedReply,
  refusals: { not_found: notFound, name_taken: nameTaken, bad_action: badAction, stale },
})

export const deleteSavedReply = defineCall({
  method: 'DELETE',
  path: '/api/support/saved-replies/:id',
  summary: 'Delete a saved reply; what was sent with it stays',
  permission,
  params,
  reply: z.object({ id: Id }),
  refusals: { not_found: notFound },
})
