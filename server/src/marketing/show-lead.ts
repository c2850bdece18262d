import type { LeadDetail, LeadStats } from '@limber/contract/marketing/lead.ts'
import type { Db } from '#platform/db.ts'
import { presentLeadDetail, presentStats } from './lead.present.ts'
import { countByStatus, findLeadDetail } from './lead.queries.ts'

/** A lead as it is now. */
export async function showLead(db: Db, id: number): Promise<LeadDetail> {
  const row = await findLeadDetail(db, id)
  if (!row) throw new Error(`Lead ${id} is gone.`)
  return presentLeadDetail(row)
}

/** A lead as it is now, with the counts that its change may have moved. */
export async function showWithStats(db: Db, id: number): Promise<{ lead: LeadDetail; stats: LeadStats }> {
  return { lead: await showLead(db, id), stats: presentStats(await countByStatus(db)) }
}
