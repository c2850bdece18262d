import {
  createSavedReply,
  deleteSavedReply,
  listSavedReplies,
  MAX_SAVED_REPLIES,
  updateSavedReply,
} from '@limber/contract/support/saved-replies/saved-reply.ts'
import type { Db } from '#platform/db/db.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { presentSavedReply } from './saved-reply.present.ts'
import {
  countSavedReplies,
  findSavedReplies,
  findSavedReply,
  insertSavedReply,
  lockSavedReply,
  removeSavedReply,
  saveSavedReply,
} from './saved-reply.queries.ts'

async function show(db: Db, id: number) {
  const row = await findSavedReply(db, id)
  if (!row) throw refuse(updateSavedReply, 'not_found')
  return presentSavedReply(row)
}

const about = (id: number) => ({ subject: 'saved_reply' as const, subjectId: id })

export const savedReplyRoutes = [
  serve(listSavedReplies, async ({ db }) => (await findSavedReplies(db)).map(presentSavedReply)),

  serve(createSavedReply, async ({ body, db, now, worker, audit, publish }) => {
    if ((await countSavedReplies(db)) >= MAX_SAVED_REPLIES) throw refuse(createSavedReply, 'too_many')
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
    const { name, content } = await loadForUpdate(updateSavedReply, find, version, () => show(db, id))
    await saveSavedReply(db, id, draft, worker.workerId, now)
    audit({ action: 'saved_reply_changed', ...about(id), before: { name, content }, after: draft })
    publish('saved-replies', { reply: id })
    return show(db, id)
  }).expecting({ saved_replies_name: 'name_taken' }),

  serve(deleteSavedReply, async ({ params: { id }, db, audit, publish }) => {
    const before = await lockSavedReply(db, id)
    if (!before) throw refuse(deleteSavedReply, 'not_found')
    const { name, content } = before
    await removeSavedReply(db, id)
    audit({ action: 'saved_reply_deleted', ...about(id), before: { name, content } })
    publish('saved-replies', { reply: id })
    return { id }
  }),
]
