import { codeOf } from '@limber/contract/access/permissions.ts'
import { convertLead, setLeadStatus, undoConversion } from '@limber/contract/marketing/leads/lead.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { CannotUndoError, IncompleteLeadError, moveLockedLead, undoLockedConversion } from './move-lead.ts'
import { lockExisting, showLead, showWithStats } from './show-lead.ts'

const CONVERT_PERMISSION = codeOf('leads.convert')

const refuseIncomplete = (call: typeof setLeadStatus | typeof convertLead) => (error: unknown) => {
  throw error instanceof IncompleteLeadError ? refuse(call, 'incomplete') : error
}

export const leadStatusRoutes = [
  serve(setLeadStatus, async (context) => {
    const { body, db, worker } = context
    const mayConvert = worker.permissions.has(CONVERT_PERMISSION)
    // Converting through the status needs the same permission as convertLead. Checked before any lookup.
    if (body.status === 'converted' && !mayConvert) throw refuse(setLeadStatus, 'may_not_convert')
    const find = lockExisting(setLeadStatus, db, body.leadId)
    const lead = await loadForUpdate(setLeadStatus, find, body.version, ({ id }) => showLead(db, id))
    const move = { status: body.status, workerId: worker.workerId, reason: body.reason, mayConvert }
    await moveLockedLead(context, lead, move).catch(refuseIncomplete(setLeadStatus))
    return showWithStats(db, lead.id)
  }).expecting({ leads_customer_id_fkey: 'conflict' }),

  serve(convertLead, async (context) => {
    const { params, db, worker } = context
    const lead = await lockExisting(convertLead, db, params.id)
    if (lead.status === 'converted') throw refuse(convertLead, 'converted', { current: await showLead(db, lead.id) })
    const move = { status: 'converted', workerId: worker.workerId, reason: undefined, mayConvert: true } as const
    await moveLockedLead(context, lead, move).catch(refuseIncomplete(convertLead))
    return showWithStats(db, lead.id)
  }).expecting({ leads_customer_id_fkey: 'conflict' }),

  serve(undoConversion, async (context) => {
    const { params, db } = context
    const lead = await lockExisting(undoConversion, db, params.id)
    await undoLockedConversion(context, lead).catch((error: unknown) => {
      throw error instanceof CannotUndoError
        ? refuse(undoConversion, error.code, { values: { what: error.what } })
        : error
    })
    return showWithStats(db, lead.id)
  }),
]
