import {
  createBlock,
  deleteBlock,
  LATEST_ENTRIES,
  listBlocks,
  listUnusedBlocks,
  MAX_UNUSED_BLOCKS,
  readLedger,
  updateBlock,
} from '@limber/contract/businesses/blocks/block.ts'
import { formatDay, formatMoment } from '@limber/contract/kit/formats/dates.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { dayIn, readBareMoment } from '@limber/contract/kit/zone-time.ts'
import { checkVersion } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { findBusiness, lockAgainstDeletion } from '../business/business.queries.ts'
import { presentBlock, presentEntry } from './block.present.ts'
import {
  findBlock,
  findBlocks,
  findBlockWithSession,
  findDeletable,
  findUnusedBlocks,
  insertBlock,
  lockBlock,
  removeUnusedBlock,
  saveBlock,
} from './block.queries.ts'
import { addUp, isBlockHours, isExpired, isSlotMinutes, stateOfSession } from './block.rules.ts'
import { findBlockSums, findLatestEntries, insertEntry } from './ledger.queries.ts'

/** Why a used block cannot be deleted. An upcoming session can be canceled; a started one cannot. */
const whyNotDeletable = {
  scheduled: 'used',
  in_progress: 'running',
  delivered: 'delivered',
  cancelled: 'used',
} as const

export const blockRoutes = [
  serve(listBlocks, async ({ body: { business_id, page, limit }, db, now }) => {
    const business = await findBusiness(db, business_id)
    if (!business) throw refuse(listBlocks, 'not_found')
    const today = dayIn(business.time_zone, now)
    const { total, blocks } = await findBlocks(db, business_id, { now, today, limit, offset: (page - 1) * limit })
    return {
      blocks: blocks.map(({ block, session }) => presentBlock(block, session, now, today)),
      pagination: paginate(page, limit, total),
    }
  }),

  serve(listUnusedBlocks, async ({ db, now }) => {
    const found = await findUnusedBlocks(db, now, MAX_UNUSED_BLOCKS + 1)
    return { blocks: found.slice(0, MAX_UNUSED_BLOCKS), isMore: found.length > MAX_UNUSED_BLOCKS }
  }),

  serve(createBlock, async ({ body, db, worker, now, audit, publish }) => {
    const { business_id, block_hours, slot_length_minutes, internal_label, expires_on = null } = body
    if (!isBlockHours(block_hours)) throw refuse(createBlock, 'bad_hours')
    if (!isSlotMinutes(slot_length_minutes)) throw refuse(createBlock, 'bad_slot')
    const business = await lockAgainstDeletion(db, business_id)
    if (!business) throw refuse(createBlock, 'not_found')
    if (business.archived_at) throw refuse(createBlock, 'archived')
    const today = dayIn(business.time_zone, now)
    if (isExpired(expires_on, today)) throw refuse(createBlock, 'lapsed')
    const draft = { business_id, block_hours, slot_length_minutes, internal_label, expires_on }
    const block = await insertBlock(db, { ...draft, created_at: now })
    await insertEntry(db, block, { kind: 'granted', workerId: worker.workerId, now })
    audit({ action: 'block_created', subject: 'prepaid_block', subjectId: block.id, after: draft })
    publish('businesses', { business: business_id })
    return presentBlock(block, undefined, now, today)
  }),

  serve(updateBlock, async ({ body: { block_id, version, internal_label, expires_on }, db, now, audit, publish }) => {
    const known = await findBlock(db, block_id)
    const business = known && (await lockAgainstDeletion(db, known.business_id))
    const before = business && (await lockBlock(db, block_id))
    if (!before) throw refuse(updateBlock, 'not_found')
    const show = async () => {
      const found = await findBlockWithSession(db, block_id)
      if (!found) throw refuse(updateBlock, 'not_found')
      return presentBlock(found.block, found.session, now, dayIn(business.time_zone, now))
    }
    const current = await show()
    await checkVersion(updateBlock, before, version, () => current)
    const { session } = current
    const first = dayIn(business.time_zone, session ? readBareMoment(session.starts_at) : now)
    if (expires_on !== before.expires_on && isExpired(expires_on, first))
      throw refuse(updateBlock, session ? 'before_session' : 'lapsed', { values: { day: formatDay(first) } })
    await saveBlock(db, block_id, { internal_label, expires_on })
    audit({
      action: 'block_changed',
      subject: 'prepaid_block',
      subjectId: block_id,
      before: { internal_label: before.internal_label, expires_on: before.expires_on },
      after: { internal_label, expires_on },
    })
    publish('businesses', { business: before.business_id })
    return show()
  }),

  serve(deleteBlock, async ({ body: { block_id }, db, worker, now, audit, publish }) => {
    const block = await findBlock(db, block_id)
    const business = block && (await lockAgainstDeletion(db, block.business_id))
    if (!block || !business) throw refuse(deleteBlock, 'not_found')
    const deleted = await findDeletable(db, block_id)
    if (!(await removeUnusedBlock(db, block_id))) {
      const session = (await findBlockWithSession(db, block_id))?.session
      if (!session) throw refuse(deleteBlock, 'not_found')
      const what = `on ${formatMoment(session.starts_at, { zone: business.time_zone, hasWeekday: true })}`
      throw refuse(deleteBlock, whyNotDeletable[stateOfSession(session, now)], { values: { what } })
    }
    await insertEntry(db, block, { kind: 'withdrawn', workerId: worker.workerId, now })
    audit({ action: 'block_deleted', subject: 'prepaid_block', subjectId: block_id, before: deleted })
    publish('businesses', { business: block.business_id })
    return { id: block_id }
  }),

  serve(readLedger, async ({ params, db, now }) => {
    const business = await findBusiness(db, params.id)
    if (!business) throw refuse(readLedger, 'not_found')
    const sums = await findBlockSums(db, params.id, now, dayIn(business.time_zone, now))
    const entries = await findLatestEntries(db, params.id, LATEST_ENTRIES)
    return { ledger: addUp(sums), entries: entries.map(presentEntry) }
  }),
]
