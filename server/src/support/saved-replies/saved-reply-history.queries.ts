import { deleteSavedReply, updateSavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'

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
  actions: { saved_reply_created: 'added this saved reply', saved_reply_changed: CHANGED },
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
}
