import { mergeLeads } from '@limber/contract/marketing/leads/lead-merge.ts'
import { checkVersion } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { lockContact } from './lead-change.queries.ts'
import { lockLeads, mergeSteps, moveRelatedRows, retireLead, saveCombined } from './lead-merge.queries.ts'
import { combine, mergeChanges } from './lead-merge.rules.ts'
import { refuseMissing, showLead, showWithStats } from './show-lead.ts'

export const leadMergeRoutes = [
  serve(mergeLeads, async ({ params: { id }, body, db, now, worker, audit, publish }) => {
    const { duplicateId, version, duplicateVersion } = body
    if (duplicateId === id) throw refuse(mergeLeads, 'itself')
    const locked = await lockLeads(db, [id, duplicateId])
    const kept = locked.find((lead) => lead.id === id) ?? (await refuseMissing(mergeLeads, db, id))
    const duplicate =
      locked.find((lead) => lead.id === duplicateId) ?? (await refuseMissing(mergeLeads, db, duplicateId))
    for (const [lead, seen] of [[kept, version] as const, [duplicate, duplicateVersion] as const])
      await checkVersion(mergeLeads, lead, seen, () => showLead(db, lead.id))
    const [mine, theirs] = [kept.customer_id, duplicate.customer_id]
    if (mine !== null && theirs !== null && mine !== theirs)
      throw refuse(mergeLeads, 'two_customers', { values: { kept: mine, duplicate: theirs } })
    // A concurrent entry of the same person waits and then finds the kept lead.
    await lockContact(db, kept, duplicate)
    const { lead, endedId, answers } = combine(kept, duplicate)
    const steps = await mergeSteps(db, { keptId: id, duplicateId, endedId }, lead.created_at, now)
    const moved = { ...(await moveRelatedRows(db, duplicateId, id)), steps, answers }
    await saveCombined(db, id, lead, now)
    await retireLead(db, duplicate, id, worker.workerId, now)
    const { before, after } = mergeChanges(kept, lead)
    audit({
      action: 'lead_merged',
      subject: 'lead',
      subjectId: id,
      before,
      after: { from: duplicateId, ...after, ...moved },
    })
    publish('leads', { lead: id })
    publish('leads', { lead: duplicateId })
    return { ...(await showWithStats(db, id)), moved }
  }),
]
