import { deleteBlock, updateBlock } from '@limber/contract/businesses/blocks/block.ts'
import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'

const editable = ['internal_label', 'expires_on'] as const

export const blockHistory: RecordHistory = {
  subject: 'prepaid_block',
  async read(db, id) {
    const block = await db
      .selectFrom('prepaid_blocks')
      .select(['id', ...editable, 'used_at'])
      .where('id', '=', numericId(id))
      .executeTakeFirst()
    return block && { name: block.internal_label || `Block ${block.id}`, values: block }
  },
  fields: [
    { name: 'internal_label', label: 'Label' },
    { name: 'expires_on', label: 'Last day', kind: 'day' },
  ],
  actions: { block_created: 'granted this block', block_changed: CHANGED },
  restores: [
    {
      ...{ call: updateBlock, fields: editable },
      input: (id, values, { internal_label, expires_on }) => ({
        body: { block_id: Number(id), internal_label, expires_on, ...values },
      }),
    },
  ],
  opposites: {
    block_created: {
      call: deleteBlock,
      input: (id) => ({ body: { block_id: Number(id) } }),
      fits: ({ used_at }) => used_at === null,
      effect: 'The block is deleted.',
    },
  },
}
