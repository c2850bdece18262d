import type {
  assignLead,
  convertLead,
  editLead,
  LeadDetail,
  LeadStats,
  noteLead,
  setLeadStatus,
  undoConversion,
} from '@limber/contract/marketing/leads/lead.ts'
import type { mergeLeads } from '@limber/contract/marketing/leads/lead-merge.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { presentLeadDetail, presentStats } from './lead.present.ts'
import { findLeadDetail, type LeadDetailRow, type LockedLead, lockLead, readStatusCounts } from './lead.queries.ts'
import { nameOf } from './lead.rules.ts'
import { findMergeTarget } from './lead-merge.queries.ts'

export async function showLead(db: Db, id: number): Promise<LeadDetail> {
  const row = await findLeadDetail(db, id)
  if (!row) throw new Error(`Lead ${id} is gone.`)
  return presentLeadDetail(row)
}

/** The lead with the counts that a change may have affected. */
export async function showWithStats(db: Db, id: number): Promise<{ lead: LeadDetail; stats: LeadStats }> {
  return { lead: await showLead(db, id), stats: presentStats(await readStatusCounts(db)) }
}

type Change =
  | typeof assignLead
  | typeof convertLead
  | typeof editLead
  | typeof mergeLeads
  | typeof noteLead
  | typeof setLeadStatus
  | typeof undoConversion

async function findKept(db: Db, id: number): Promise<LeadDetailRow | undefined> {
  const into = await findMergeTarget(db, id)
  return into === undefined ? undefined : findLeadDetail(db, into)
}

/** The lead with this id, or the lead that it was merged into. */
export const findLeadOrMerged = async (db: Db, id: number): Promise<LeadDetailRow | undefined> =>
  (await findLeadDetail(db, id)) ?? (await findKept(db, id))

/** Refuses with `merged` or `not_found`. */
export async function refuseMissing(call: Change, db: Db, id: number): Promise<never> {
  const kept = await findKept(db, id)
  throw kept ? refuse(call, 'merged', { values: { name: nameOf(kept) } }) : refuse(call, 'not_found')
}

/** Locks a lead for a change; refuses if it is missing or merged. */
export const lockExisting = async (call: Change, db: Db, id: number): Promise<LockedLead> =>
  (await lockLead(db, id)) ?? refuseMissing(call, db, id)
