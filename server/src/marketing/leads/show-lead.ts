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
import { findWhereMerged } from './lead-merge.queries.ts'

/** A lead as it is now. */
export async function showLead(db: Db, id: number): Promise<LeadDetail> {
  const row = await findLeadDetail(db, id)
  if (!row) throw new Error(`Lead ${id} is gone.`)
  return presentLeadDetail(row)
}

/** A lead as it is now, with the counts that its change may have moved. */
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
  const into = await findWhereMerged(db, id)
  return into === undefined ? undefined : findLeadDetail(db, into)
}

/** The lead behind a number: a merged one leads to the lead that it went into. */
export const findLeadBehind = async (db: Db, id: number): Promise<LeadDetailRow | undefined> =>
  (await findLeadDetail(db, id)) ?? (await findKept(db, id))

/** Says why there is no such lead to change: it never was, or it is part of another. */
export async function refuseMissing(call: Change, db: Db, id: number): Promise<never> {
  const kept = await findKept(db, id)
  throw kept ? refuse(call, 'merged', { values: { name: nameOf(kept) } }) : refuse(call, 'not_found')
}

/** A lead for a change; refused when it never was, or is part of another. */
export const lockExisting = async (call: Change, db: Db, id: number): Promise<LockedLead> =>
  (await lockLead(db, id)) ?? refuseMissing(call, db, id)
