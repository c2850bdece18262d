import { deleteView, updateView } from '@limber/contract/support/queues/queue.ts'
import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'
import { type DeletedView, lockView, putViewBack } from './view.queries.ts'

const filters = ['queue', 'status', 'priority', 'kind', 'assignee'] as const
const fields = ['name', 'isShared', ...filters, 'tag'] as const

export const ticketViewHistory: RecordHistory = {
  subject: 'ticket_view',
  isOwn: true,
  async read(db, id) {
    const view = await lockView(db, numericId(id))
    return view && { name: view.name, values: { ...view, isShared: view.is_shared, tag: view.tag_id } }
  },
  fields: [
    { name: 'name', label: 'Name' },
    { name: 'isShared', label: 'Shared with the team', kind: 'flag' },
    { name: 'queue', label: 'Queue' },
    { name: 'status', label: 'Status' },
    { name: 'priority', label: 'Priority' },
    { name: 'kind', label: 'Kind' },
    { name: 'assignee', label: 'Assigned to' },
    { name: 'tag', label: 'Tag' },
  ],
  actions: {
    ticket_view_changed: CHANGED,
    ticket_view_deleted: 'deleted this view',
    ticket_view_restored: 'undid the deletion',
  },
  restores: [
    {
      ...{ call: updateView, fields },
      input: (id, values, now) => ({
        params: { id },
        body: { ...Object.fromEntries(fields.map((name) => [name, now[name]])), ...values, version: now.version },
      }),
    },
  ],
  recoveries: {
    ticket_view_deleted: {
      call: deleteView,
      async takeBack({ db, now, worker, audit, publish }, id, { before }, by) {
        // A view belongs to the worker who deleted it.
        if (by !== worker.workerId) return false
        if (!(await putViewBack(db, id, before as unknown as DeletedView, worker.workerId, now))) return false
        audit({ action: 'ticket_view_restored', subject: 'ticket_view', subjectId: id, after: before })
        publish('tickets')
        return true
      },
    },
  },
}
