import { renameTag } from '@limber/contract/support/queues/tag.ts'
import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'

export const ticketTagHistory: RecordHistory = {
  subject: 'ticket_tag',
  async read(db, id) {
    const tag = await db
      .selectFrom('ticket_tags')
      .select(['name', 'version'])
      .where('id', '=', numericId(id))
      .executeTakeFirst()
    return tag && { name: tag.name, values: tag }
  },
  fields: [{ name: 'name', label: 'Name' }],
  actions: { ticket_tag_created: 'added this tag', ticket_tag_renamed: CHANGED },
  restores: [
    {
      ...{ call: renameTag, fields: ['name'] },
      input: (id, { name }, { version }) => ({ params: { id }, body: { name, version } }),
    },
  ],
}
