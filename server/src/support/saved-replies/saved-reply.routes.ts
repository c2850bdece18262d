import { isDeepStrictEqual } from 'node:util'
import {
  createSavedReply,
  deleteSavedReply,
  listSavedReplies,
  MAX_SAVED_REPLIES,
  type SavedReplyDraft,
  updateSavedReply,
} from '@limber/contract/support/saved-replies/saved-reply.ts'
import type { Db } from '#platform/db/db.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { HANDLE_PERMISSION } from '../tickets/change-tickets.ts'
import { areUsable } from './macro.queries.ts'
import { presentSavedReply } from './saved-reply.present.ts'
import {
  countSavedReplies,
  findSavedReplies,
  findSavedReply,
  insertSavedReply,
  lockSavedReply,
  removeSavedReply,
  type SavedReplyRow,
  saveSavedReply,
} from './saved-reply.queries.ts'

async function show(db: Db, id: number) {
  const row = await findSavedReply(db, id)
  if (!row) throw refuse(updateSavedReply, 'not_found')
  return presentSavedReply(row)
}

/** A reply as in the audit log, with its actions when it has some or they change. */
const factsOf = (
  { name, content, actions }: Pick<SavedReplyRow, 'name' | 'content' | 'actions'>,
  change?: SavedReplyDraft,
) => ({
  name,
  content,
  ...((change?.actions || actions.length > 0) && { actions }),
})

const about = (id: number) => ({ subject: 'saved_reply' as const, subjectId: id })

export const savedReplyRoutes = [
  serve(listSavedReplies, async ({ db }) => (await findSavedReplies(db)).map(presentSavedReply)),

  serve(createSavedReply, async ({ body, db, now, worker, audit, publish }) => {
    if ((await countSavedReplies(db)) >= MAX_SAVED_REPLIES) throw refuse(createSavedReply, 'too_many')
    if (!(await areUsable(db, body.actions ?? [], HANDLE_PERMISSION))) throw refuse(createSavedReply, 'bad_action')
    const created = await insertSavedReply(db, body, worker.workerId, now)
    if (!created) throw refuse(createSavedReply, 'name_taken')
    const { id } = created
    audit({ action: 'saved_reply_created', ...about(id), after: body })
    publish('saved-replies', { reply: id })
    return show(db, id)
  }),

  serve(updateSavedReply, async ({ params: { id }, body, db, now, worker, audit, publish }) => {
    const { version, ...draft } = body
    const find = lockSavedReply(db, id)
    const before = await loadForUpdate(updateSavedReply, find, version, () => show(db, id))
    // An action that was there before may stay: its tag or worker may have gone since, and the text must stay editable.
    const added = (draft.actions ?? []).filter(
      (action) => !before.actions.some((one) => isDeepStrictEqual(one, action)),
    )
    if (!(await areUsable(db, added, HANDLE_PERMISSION))) throw refuse(updateSavedReply, 'bad_action')
    await saveSavedReply(db, id, draft, worker.workerId, now)
    audit({ action: 'saved_reply_changed', ...about(id), before: factsOf(before, draft), after: draft })
    publish('saved-replies', { reply: id })
    return show(db, id)
  }).expecting({ saved_replies_name: 'name_taken' }),

  serve(deleteSavedReply, async ({ params: { id }, db, audit, publish }) => {
    const before = await lockSavedReply(db, id)
    if (!before) throw refuse(deleteSavedReply, 'not_found')
    await removeSavedReply(db, id)
    const { uses, version } = before
    audit({ action: 'saved_reply_deleted', ...about(id), before: { ...factsOf(before), uses, version } })
    publish('saved-replies', { reply: id })
    return { id }
  }),
]
