import { createTag, listTags, MAX_TAGS, removeTag, renameTag } from '@limber/contract/support/queues/tag.ts'
import type { Db } from '#platform/db/db.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { moveMacroTag } from '../saved-replies/macro.queries.ts'
import { removeTagMessage } from './remove-tag.ts'
import { countTags, findTag, findTags, insertTag, lockTags, markTagRemoved, saveTagName } from './tag.queries.ts'

async function show(db: Db, id: number) {
  const tag = await findTag(db, id)
  if (!tag) throw refuse(renameTag, 'not_found')
  return tag
}

const about = (id: number) => ({ subject: 'ticket_tag' as const, subjectId: id })

export const tagRoutes = [
  serve(listTags, ({ db }) => findTags(db)),

  serve(createTag, async ({ body: { name }, db, audit, publish }) => {
    if ((await countTags(db)) >= MAX_TAGS) throw refuse(createTag, 'too_many')
    const created = await insertTag(db, name)
    if (!created) throw refuse(createTag, 'name_taken')
    audit({ action: 'ticket_tag_created', ...about(created.id), after: { name } })
    publish('tickets')
    return show(db, created.id)
  }),

  serve(renameTag, async ({ params: { id }, body: { name, version }, db, audit, publish }) => {
    const find = lockTags(db, [id]).then(([tag]) => tag)
    const before = await loadForUpdate(renameTag, find, version, () => show(db, id))
    await saveTagName(db, id, name)
    audit({ action: 'ticket_tag_renamed', ...about(id), before: { name: before.name }, after: { name } })
    publish('tickets')
    return show(db, id)
  }).expecting({ ticket_tags_name: 'name_taken' }),

  serve(removeTag, async ({ params: { id }, body: { into, version }, db, now, audit, publish, enqueue }) => {
    if (into === id) throw refuse(removeTag, 'itself')
    const locked = await lockTags(db, into === null ? [id] : [id, into])
    const find = Promise.resolve(locked.find((tag) => tag.id === id))
    const before = await loadForUpdate(removeTag, find, version, () => show(db, id))
    if (into !== null && !locked.some((tag) => tag.id === into)) throw refuse(removeTag, 'no_target')
    await markTagRemoved(db, id, into, now)
    if (await moveMacroTag(db, id, into)) publish('saved-replies')
    enqueue(removeTagMessage(id))
    audit({
      action: into === null ? 'ticket_tag_deleted' : 'ticket_tag_merged',
      ...about(id),
      before: { name: before.name },
      ...(into !== null && { after: { into } }),
    })
    publish('tickets')
    return { id }
  }),
]
