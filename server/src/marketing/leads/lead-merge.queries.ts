import { pickFields } from '@limber/contract/kit/fields.ts'
import { leadFieldNames, leadFields } from '@limber/contract/marketing/leads/lead.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import type { Combined, MergingLead } from './lead-merge.rules.ts'

/** Locks both leads in order of their ids, so that two opposite merges cannot deadlock. */
export const lockLeads = (db: Db, ids: readonly number[]): Promise<MergingLead[]> =>
  db
    .selectFrom('leads')
    .select(['id', ...leadFieldNames, 'status', 'farthest'])
    .select(['assignee_id', 'customer_id', 'lost_reason', 'created_by', 'created_at', 'status_since'])
    .select(['first_response_at', 'converted_at', 'leadgen_id', 'answers', 'version'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Ends the open step of the lead whose status is dropped, and moves all steps to the kept lead. */
export async function mergeSteps(
  db: Db,
  { keptId, duplicateId, endedId }: { keptId: number; duplicateId: number; endedId: number },
  arrivedAt: Date,
  now: Date,
): Promise<number> {
  await sql`
    update lead_steps set left_at = greatest(entered_at, ${now}), ended_by_merge = true
    where lead_id = ${endedId} and left_at is null`.execute(db)
  const { rows } = await sql<{ moved: number }>`
    with own as (update lead_steps set lead_created_at = ${arrivedAt}
      where lead_id = ${keptId} and lead_created_at <> ${arrivedAt}),
    theirs as (update lead_steps set lead_id = ${keptId}, lead_created_at = ${arrivedAt}
      where lead_id = ${duplicateId} returning id)
    select count(*)::int as moved from theirs`.execute(db)
  return rows[0]?.moved ?? 0
}

/** Moves notes, Meta notifications and earlier merges to the kept lead. */
export async function moveRelatedRows(db: Db, duplicateId: number, keptId: number): Promise<{ notes: number }> {
  const { rows } = await sql<{ notes: number }>`
    with n as (update lead_notes set lead_id = ${keptId} where lead_id = ${duplicateId} returning id),
    a as (update meta_leadgens set lead_id = ${keptId} where lead_id = ${duplicateId}),
    m as (update merged_leads set lead_id = ${keptId} where lead_id = ${duplicateId})
    select count(*)::int as notes from n`.execute(db)
  return { notes: rows[0]?.notes ?? 0 }
}

export const saveCombined = (db: Db, id: number, { answers, ...lead }: Combined, now: Date) =>
  db
    .updateTable('leads')
    .set({ ...lead, answers: JSON.stringify(answers), updated_at: now, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()

/** Deletes a merged lead, and records its contacts and the lead it was merged into. */
export async function retireLead(db: Db, lead: MergingLead, keptId: number, workerId: number, now: Date) {
  const { id, created_at, leadgen_id } = lead
  await db.deleteFrom('leads').where('id', '=', id).execute()
  await db
    .insertInto('merged_leads')
    .values({
      ...pickFields(leadFields, lead),
      ...{ id, created_at, leadgen_id },
      lead_id: keptId,
      merged_by: workerId,
      // The creation time of an ad lead comes from Meta's clock and can be later than ours.
      merged_at: now < created_at ? created_at : now,
    })
    .execute()
}

/** The lead that a merged lead became part of. */
export const findMergeTarget = async (db: Db, id: number): Promise<number | undefined> =>
  (await db.selectFrom('merged_leads').select('lead_id').where('id', '=', id).executeTakeFirst())?.lead_id

/** The email addresses of leads merged into a lead, newest merge first. */
export const findMergedEmails = async (db: Db, leadId: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('merged_leads')
    .select('email')
    .where('lead_id', '=', leadId)
    .where('email', 'is not', null)
    .orderBy('merged_at', 'desc')
    .execute()
  return rows.flatMap(({ email }) => email ?? [])
}
