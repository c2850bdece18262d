import {
  assignLead,
  createLead,
  editLead,
  leadFieldNames,
  leadFields,
  leadStatusLabels,
  setLeadStatus,
  undoConversion,
} from '@limber/contract/marketing/leads/lead.ts'
import { sql } from 'kysely'
import { CHANGED, numericId, type RecordHistory, workerNames } from '#platform/audit/history.ts'
import { nameOf } from './lead.rules.ts'
import { removeNewLead } from './lead-change.queries.ts'

const campaignNames = (ids: readonly number[]) => sql`select id, name from campaigns where id = any(${ids}::bigint[])`

export const leadHistory: RecordHistory = {
  subject: 'lead',
  async read(db, id) {
    const lead = await db
      .selectFrom('leads')
      .select([...leadFieldNames, 'status', 'assignee_id', 'erased_at', 'version'])
      .where('id', '=', numericId(id))
      .executeTakeFirst()
    return lead && { name: nameOf(lead), erasedAt: lead.erased_at, values: { ...lead, assignee: lead.assignee_id } }
  },
  fields: [
    ...leadFields.map((field) => (field.name === 'campaign_id' ? { ...field, names: campaignNames } : field)),
    { name: 'status', label: 'Status', choiceLabels: leadStatusLabels },
    { name: 'assignee', label: 'Assigned to', names: workerNames },
    { name: 'reason', label: 'Reason' },
  ],
  actions: {
    lead_created: 'added this lead',
    lead_removed: 'undid adding this lead',
    lead_received: 'received this lead from Meta',
    lead_edited: CHANGED,
    lead_noted: 'added a note',
    lead_assigned: CHANGED,
    lead_status: CHANGED,
    lead_converted: 'converted the lead to a customer',
    lead_conversion_undone: 'undid the conversion',
    lead_lost_reason: 'changed the reason why they are not interested',
    lead_merged: 'merged a duplicate into this lead',
  },
  restores: [
    { call: editLead, fields: leadFieldNames, input: (id, values) => ({ params: { id }, body: values }) },
    {
      ...{ call: assignLead, fields: ['assignee'] },
      input: (id, { assignee }) => ({ params: { id }, body: { workerId: assignee } }),
    },
    {
      ...{ call: setLeadStatus, fields: ['status'] },
      input: (id, { status }) => ({ body: { leadId: Number(id), status } }),
      // A conversion opens an account, and has its own undo.
      fits: (status, now) => status !== 'converted' && now !== 'converted',
    },
  ],
  opposites: {
    lead_created: {
      call: createLead,
      async takeBack({ db, audit, publish }, id, { after }) {
        if (!(await removeNewLead(db, id))) return false
        audit({ action: 'lead_removed', subject: 'lead', subjectId: id, before: after })
        publish('leads', { lead: id })
        return true
      },
      fits: ({ version }) => version === 1,
      effect: 'The lead is deleted.',
    },
    lead_converted: {
      call: undoConversion,
      input: (id) => ({ params: { id } }),
      fits: ({ status }) => status === 'converted',
      effect: 'The account that was opened is deleted, if it is unused.',
    },
  },
}
