import { codeOf } from '@limber/contract/access/permissions.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import {
  assignLead,
  createLead,
  editLead,
  type LeadQuery,
  listLeadCampaigns,
  listLeads,
  listLeadWorkers,
  noteLead,
  readLead,
} from '@limber/contract/marketing/leads/lead.ts'
import type { Db } from '#platform/db/db.ts'
import { containing, containingPhone } from '#platform/db/like.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { presentLead, presentLeadDetail, presentStats } from './lead.present.ts'
import {
  countLeads,
  findCampaignNames,
  findLeads,
  findLeadWorker,
  findLeadWorkers,
  hasCampaign,
  type LeadFilter,
  readStatusCounts,
} from './lead.queries.ts'
import { changesOf, nameOf, totalOf } from './lead.rules.ts'
import { changeLead, findSameContact, insertLead, insertLeadNote, lockContact } from './lead-change.queries.ts'
import { windowOf } from './lead-range.rules.ts'
import { findLeadOrMerged, lockExisting, showLead, showWithStats } from './show-lead.ts'

const ASSIGNEE_PERMISSION = codeOf('growth.tab')

const about = (id: number) => ({ subject: 'lead' as const, subjectId: id })

type EntryCall = typeof createLead | typeof editLead

/** Refuses a second lead for the same person. The lock keeps others from adding them until this transaction ends. */
async function checkContact(
  call: EntryCall,
  db: Db,
  contact: { email?: string | null; phone?: string | null },
  except?: number,
) {
  await lockContact(db, contact)
  const same = await findSameContact(db, contact, except)
  if (!same) return
  const current = await showLead(db, same.id)
  const words = { what: same.is_same_email ? 'email' : 'phone number', name: nameOf(current) }
  throw refuse(call, 'duplicate', { values: words, current })
}

async function checkCampaign(call: EntryCall, db: Db, id: number | null | undefined) {
  if (id && !(await hasCampaign(db, id))) throw refuse(call, 'no_campaign')
}

/** Which leads the list shows. */
export const leadsOf = (query: Omit<LeadQuery, 'page' | 'limit'>, workerId: number, now: Date): LeadFilter => ({
  pattern: query.search === '' ? undefined : containing(query.search),
  phone: containingPhone(query.search),
  status: query.status,
  assignee: query.assigned_to === 'me' ? workerId : query.assigned_to,
  campaign: query.campaign,
  created: query.timeRange === '' ? undefined : windowOf(query.timeRange, now),
  reached: query.reached,
})

export const leadRoutes = [
  serve(listLeads, async ({ query: { page, limit, ...query }, db, now, worker }) => {
    const filter = leadsOf(query, worker.workerId, now)
    const counts = await readStatusCounts(db)
    const total = totalOf(counts, filter) ?? (await countLeads(db, filter))
    const rows = await findLeads(db, filter, limit, (page - 1) * limit)
    return { leads: rows.map(presentLead), stats: presentStats(counts), pagination: paginate(page, limit, total) }
  }),

  serve(readLead, async ({ body, db }) => {
    const row = await findLeadOrMerged(db, body.leadId)
    if (!row) throw refuse(readLead, 'not_found')
    return { lead: presentLeadDetail(row) }
  }),

  serve(listLeadWorkers, ({ db }) => findLeadWorkers(db, ASSIGNEE_PERMISSION)),

  serve(listLeadCampaigns, ({ db, now }) => findCampaignNames(db, companyDay(now))),

  serve(createLead, async ({ body: { note, ...draft }, db, now, worker, audit, publish }) => {
    if (draft.email === null && draft.phone === null) throw refuse(createLead, 'no_contact')
    await checkCampaign(createLead, db, draft.campaign_id)
    await checkContact(createLead, db, draft)
    const { workerId } = worker
    // The creator becomes the assignee if they have the permission.
    const assigneeId = worker.permissions.has(ASSIGNEE_PERMISSION) ? workerId : null
    const id = await insertLead(db, draft, { workerId, assigneeId }, now)
    if (note) await insertLeadNote(db, id, workerId, note, now)
    audit({ action: 'lead_created', ...about(id), after: { source: draft.source, campaign: draft.campaign_id } })
    publish('leads', { lead: id })
    return showWithStats(db, id)
  }),

  serve(editLead, async ({ params: { id }, body: { version, ...body }, db, now, audit, publish }) => {
    const before = await loadForUpdate(editLead, lockExisting(editLead, db, id), version, () => showLead(db, id))
    const { change, was } = changesOf(before, body)
    if (Object.keys(change).length === 0) return { lead: await showLead(db, id) }
    if (change.first_name === '') throw refuse(editLead, 'no_name')
    const after = { ...before, ...change }
    if (after.email === null && after.phone === null) throw refuse(editLead, 'no_contact')
    await checkCampaign(editLead, db, change.campaign_id)
    // Unchanged contacts may be a known duplicate; only new ones are checked.
    const { email = null, phone = null } = change
    if (email !== null || phone !== null) await checkContact(editLead, db, { email, phone }, id)
    await changeLead(db, id, change, now)
    audit({ action: 'lead_edited', ...about(id), before: was, after: change })
    publish('leads', { lead: id })
    return { lead: await showLead(db, id) }
  }),

  serve(noteLead, async ({ params: { id }, body, db, now, worker, audit, publish }) => {
    if (body.workerId === undefined || body.workerId === null) throw refuse(noteLead, 'no_worker')
    if (body.workerId !== worker.workerId) throw refuse(noteLead, 'other_worker')
    await lockExisting(noteLead, db, id)
    await insertLeadNote(db, id, worker.workerId, body.note, now)
    audit({ action: 'lead_noted', ...about(id) })
    publish('leads', { lead: id })
    return showLead(db, id)
  }),

  serve(assignLead, async ({ params: { id }, body: { workerId, version }, db, now, audit, publish }) => {
    const find = lockExisting(assignLead, db, id)
    const before = await loadForUpdate(assignLead, find, version, () => showLead(db, id))
    if (workerId !== null && (await findLeadWorker(db, workerId, ASSIGNEE_PERMISSION)) === undefined)
      throw refuse(assignLead, 'no_assignee')
    if (before.assignee_id !== workerId) {
      await changeLead(db, id, { assignee_id: workerId }, now)
      const change = { before: { assignee: before.assignee_id }, after: { assignee: workerId } }
      audit({ action: 'lead_assigned', ...about(id), ...change })
      publish('leads', { lead: id })
    }
    return { lead: await showLead(db, id) }
  }),
]
