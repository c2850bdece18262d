import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { claimed, isFree, released } from '#platform/jobs/lease.ts'
import type { Announced } from './meta.rules.ts'

/** Records an announced lead; false if it is already known. */
export async function insertLeadgen(
  db: Db,
  { leadgen_id, page_id, form_id, ad_id }: Announced,
  inboundId: number,
  now: Date,
) {
  const row = await db
    .insertInto('meta_leadgens')
    .values({
      leadgen_id,
      page_id,
      form_id,
      ad_id,
      inbound_id: inboundId,
      lead_id: null,
      next_try_at: now,
      ...released,
      error: null,
      received_at: now,
      settled_at: null,
    })
    .onConflict((conflict) => conflict.column('leadgen_id').doNothing())
    .returning('leadgen_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Claims a waiting lead, unless another process holds the lease. */
export const claimLeadgen = (db: Db, leadgenId: string) =>
  db
    .updateTable('meta_leadgens')
    .set((row) => ({ tries: row('tries', '+', 1), ...claimed }))
    .where('leadgen_id', '=', leadgenId)
    .where('state', '=', 'waiting')
    .where(isFree)
    .returning(['leadgen_id', 'inbound_id', 'tries'])
    .executeTakeFirst()
export type Claimed = NonNullable<Awaited<ReturnType<typeof claimLeadgen>>>

/** Leads that are due, longest waiting first. */
export async function findDue(db: Db, now: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ leadgen_id: string }>`
    select leadgen_id from meta_leadgens
    where state = 'waiting' and next_try_at <= ${now} and ${isFree}
    order by next_try_at limit ${most}`.execute(db)
  return rows.map(({ leadgen_id }) => leadgen_id)
}

export const postponeLeadgen = (db: Db, leadgenId: string, error: string, until: Date) =>
  db
    .updateTable('meta_leadgens')
    .set({ error, next_try_at: until, ...released })
    .where('leadgen_id', '=', leadgenId)
    .execute()

export const settleLeadgen = (
  db: Db,
  leadgenId: string,
  outcome: { state: 'done'; lead_id: number; error: null } | { state: 'failed'; error: string },
  now: Date,
) =>
  db
    .updateTable('meta_leadgens')
    .set({ ...outcome, ...released, settled_at: now })
    .where('leadgen_id', '=', leadgenId)
    .execute()

/** The lead saved for this id, or the one it was merged into. Exists if a process died before settling. */
export async function findByLeadgen(db: Db, leadgenId: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from leads where leadgen_id = ${leadgenId}
    union all select lead_id from merged_leads where leadgen_id = ${leadgenId}`.execute(db)
  return rows[0]?.id
}

export const setLeadgen = (db: Db, leadId: number, leadgenId: string, answers: readonly object[]) =>
  db
    .updateTable('leads')
    .set({ leadgen_id: leadgenId, answers: JSON.stringify(answers) })
    .where('id', '=', leadId)
    .execute()

export const findCampaignOfAd = async (db: Db, metaCampaignId: string): Promise<number | undefined> =>
  (await db.selectFrom('campaigns').select('id').where('meta_campaign_id', '=', metaCampaignId).executeTakeFirst())?.id

/** Waiting and delayed ad leads, for System health. */
export async function countLeadgens(db: Db) {
  const { rows } = await sql<{ waiting: number; held_up: number; error: string | null; last_at: Date | null }>`
    select count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'waiting' and error is not null)::int as held_up,
      (array_agg(error order by next_try_at desc) filter (where state = 'waiting' and error is not null))[1] as error,
      (select received_at from meta_leadgens order by received_at desc limit 1) as last_at
    from meta_leadgens where state = 'waiting'`.execute(db)
  return rows[0]
}
