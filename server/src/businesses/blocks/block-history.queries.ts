import { deleteBlock, updateBlock } from '@limber/contract/businesses/blocks/block.ts'
import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'
import { lockAgainstDeletion } from '../business/business.queries.ts'
import { type DeletedBlock, putBlockBack } from './block.queries.ts'
import { insertEntry } from './ledger.queries.ts'

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
  actions: {
    block_created: 'granted this block',
    block_changed: CHANGED,
    block_deleted: 'deleted this block',
    block_restored: 'undid the deletion',
  },
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
  recoveries: {
    block_deleted: {
      call: deleteBlock,
      async takeBack({ db, now, worker, audit, publish }, id, { before }) {
        const deleted = before as unknown as DeletedBlock
        const business = await lockAgainstDeletion(db, deleted.business_id)
        if (!business || business.archived_at) return false
        const block = await putBlockBack(db, id, deleted)
        await insertEntry(db, block, { kind: 'granted', workerId: worker.workerId, now })
        audit({ action: 'block_restored', subject: 'prepaid_block', subjectId: id, after: deleted })
        publish('businesses', { business: deleted.business_id })
        return true
      },
    },
  },
}
