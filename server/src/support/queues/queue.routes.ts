import {
  createView,
  deleteView,
  listQueues,
  MAX_VIEWS_PER_WORKER,
  type TicketView,
  updateView,
  type ViewDraft,
} from '@limber/contract/support/queues/queue.ts'
import { MINUTE, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { findFailingMailboxes } from '../mailboxes/mailbox.queries.ts'
import { findUnread } from '../related/unread.queries.ts'
import { lockTagName } from './tag.queries.ts'
import {
  countViews,
  type DeletedView,
  findRoundRobinOf,
  findView,
  findViews,
  insertView,
  type LockedView,
  lockView,
  readQueueCounts,
  removeView,
  saveView,
  type ViewRow,
} from './view.queries.ts'

/** A connection that is soon made again is nothing to tell everyone about. */
const FAILING_AFTER = 5 * MINUTE

const present = ({ is_shared, tag_id, ...row }: ViewRow): TicketView => ({ ...row, isShared: is_shared, tag: tag_id })

async function show(db: Db, id: number, workerId: number) {
  const row = await findView(db, id, workerId)
  if (!row) throw refuse(updateView, 'not_found')
  return present(row)
}

const hasTag = async (db: Db, tag: number | null) => tag === null || (await lockTagName(db, tag)) !== undefined
/** A view as its owner sends it. */
const draftOf = ({ name, is_shared, queue, status, priority, kind, assignee, tag_id }: LockedView): ViewDraft => ({
  ...{ name, isShared: is_shared, queue, status, priority, kind, assignee },
  tag: tag_id,
})

const about = (id: number) => ({ subject: 'ticket_view' as const, subjectId: id })

export const queueRoutes = [
  serve(listQueues, async ({ db, now, worker: { workerId } }) => {
    const [views, queues, unread, failing] = await Promise.all([
      findViews(db, workerId),
      readQueueCounts(db, workerId),
      findUnread(db, workerId),
      findFailingMailboxes(db, shift(now, -FAILING_AFTER)),
    ])
    return {
      queues,
      views: views.map(present),
      unread,
      failingMailboxes: failing.map(({ address, read_at }) => ({ address, readAt: read_at?.toISOString() ?? null })),
    }
  }),

  serve(createView, async ({ body, db, now, worker: { workerId }, audit, publish }) => {
    if ((await countViews(db, workerId)) >= MAX_VIEWS_PER_WORKER) throw refuse(createView, 'too_many')
    if (!(await hasTag(db, body.tag))) throw refuse(createView, 'no_tag')
    const created = await insertView(db, body, workerId, now)
    if (!created) throw refuse(createView, 'name_taken')
    audit({ action: 'ticket_view_created', ...about(created.id), after: body })
    publish('tickets')
    return show(db, created.id, workerId)
  }),

  serve(updateView, async ({ params: { id }, body, db, now, worker: { workerId }, audit, publish }) => {
    const { version, ...draft } = body
    const find = lockView(db, id).then((view) => {
      if (view && view.worker_id !== workerId) throw refuse(updateView, view.is_shared ? 'not_yours' : 'not_found')
      return view
    })
    const before = await loadForUpdate(updateView, find, version, () => show(db, id, workerId))
    if (!(await hasTag(db, draft.tag))) throw refuse(updateView, 'no_tag')
    await saveView(db, id, draft, now)
    audit({ action: 'ticket_view_changed', ...about(id), before: draftOf(before), after: draft })
    publish('tickets')
    return show(db, id, workerId)
  }).expecting({ ticket_views_name: 'name_taken' }),

  serve(deleteView, async ({ params: { id }, db, worker: { workerId }, audit, publish }) => {
    const view = await lockView(db, id)
    if (!view || (view.worker_id !== workerId && !view.is_shared)) throw refuse(deleteView, 'not_found')
    if (view.worker_id !== workerId) throw refuse(deleteView, 'not_yours')
    const deleted: DeletedView = {
      ...{ draft: draftOf(view), version: view.version },
      roundRobin: await findRoundRobinOf(db, id),
    }
    await removeView(db, id)
    audit({ action: 'ticket_view_deleted', ...about(id), before: deleted })
    publish('tickets')
    return { id }
  }),
]
