import { codeOf } from '@limber/contract/access/permissions.ts'
import { convertLead, setLeadStatus, undoConversion } from '@limber/contract/marketing/leads/lead.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { holdLead } from './lead.queries.ts'
import { CannotUndo, Incomplete, moveHeldLead, undoHeldConversion } from './move-lead.ts'
import { refuseMissing, showLead, showWithStats } from './show-lead.ts'

const CONVERTER = codeOf('leads.convert')

const refuseIncomplete = (call: typeof setLeadStatus | typeof convertLead) => (error: unknown) => {
  throw error instanceof Incomplete ? refuse(call, 'incomplete') : error
}

export const leadStatusRoutes = [
  serve(setLeadStatus, async (context) => {
    const { body, db, worker } = context
    const mayConvert = worker.permissions.has(CONVERTER)
    // The second door to a conversion has the same lock as the first, and it is tried before anything is looked up.
    if (body.status === 'converted' && !mayConvert) throw refuse(setLeadStatus, 'may_not_convert')
    const lead = (await holdLead(db, body.leadId)) ?? (await refuseMissing(setLeadStatus, db, body.leadId))
    if (body.version !== undefined && body.version !== lead.version)
      throw refuse(setLeadStatus, 'stale', { current: await showLead(db, lead.id) })
    const move = { status: body.status, workerId: worker.workerId, reason: body.reason, mayConvert }
    await moveHeldLead(context, lead, move).catch(refuseIncomplete(setLeadStatus))
    return showWithStats(db, lead.id)
  }).expecting({ leads_customer_id_fkey: 'conflict' }),

  serve(convertLead, async (context) => {
    const { params, db, worker } = context
    const lead = (await holdLead(db, params.id)) ?? (await refuseMissing(convertLead, db, params.id))
    if (lead.status === 'converted') throw refuse(convertLead, 'converted', { current: await showLead(db, lead.id) })
    const move = { status: 'converted', workerId: worker.workerId, reason: undefined, mayConvert: true } as const
    await moveHeldLead(context, lead, move).catch(refuseIncomplete(convertLead))
    return showWithStats(db, lead.id)
  }).expecting({ leads_customer_id_fkey: 'conflict' }),

  serve(undoConversion, async (context) => {
    const { params, db } = context
    const lead = (await holdLead(db, params.id)) ?? (await refuseMissing(undoConversion, db, params.id))
    await undoHeldConversion(context, lead).catch((error: unknown) => {
      throw error instanceof CannotUndo ? refuse(undoConversion, error.code, { words: { what: error.what } }) : error
    })
    return showWithStats(db, lead.id)
  }),
]
