import { deleteSavedReply, updateSavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'
import { type DeletedReply, putReplyBack } from './saved-reply.queries.ts'

const fields = ['name', 'content', 'actions'] as const

export const savedReplyHistory: RecordHistory = {
  subject: 'saved_reply',
  async read(db, id) {
    const reply = await db
      .selectFrom('saved_replies')
      .select([...fields, 'version'])
      .where('id', '=', numericId(id))
      .executeTakeFirst()
    return reply && { name: reply.name, values: reply }
  },
  fields: [
    { name: 'name', label: 'Name' },
    { name: 'content', label: 'Text' },
    { name: 'actions', label: 'Actions', isTooLarge: true },
  ],
  actions: {
    saved_reply_created: 'added this saved reply',
    saved_reply_changed: CHANGED,
    saved_reply_deleted: 'deleted this saved reply',
    saved_reply_restored: 'undid the deletion',
  },
  restores: [
    {
      ...{ call: updateSavedReply, fields },
      input: (id, values, { name, content, actions, version }) => ({
        params: { id },
        body: { name, content, actions, ...values, version },
      }),
    },
  ],
  opposites: {
    saved_reply_created: {
      call: deleteSavedReply,
      input: (id) => ({ params: { id } }),
      fits: ({ version }) => version === 1,
      effect: 'The saved reply is deleted.',
    },
  },
  recoveries: {
    saved_reply_deleted: {
      call: deleteSavedReply,
      async takeBack({ db, now, worker, audit, publish }, id, { before }) {
        const deleted = before as unknown as DeletedReply
        if (!(await putReplyBack(db, id, deleted, worker.workerId, now))) return false
        audit({ action: 'saved_reply_restored', subject: 'saved_reply', subjectId: id, after: before })
        publish('saved-replies', { reply: id })
        return true
      },
    },
  },
}
