import type { LeadSource, LeadStatus } from '@limber/contract/marketing/lead.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { LeadWindow } from './lead-range.rules.ts'

/** The point of the flow that a moment falls into, from 1 on. */
const placeOf = (column: string, starts: readonly Date[]) =>
  sql`width_bucket(${sql.ref(column)}, ${starts.map((start) => start.toISOString())}::timestamptz[])`

export interface CohortRow {
  /** Which of source, campaign and point the row is about; none: all leads of the range. */
  by: 'source' | 'campaign' | 'place' | 'all'
  source: LeadSource | null
  campaign_id: number | null
  campaign: string | null
  place: number | null
  leads: number
  conversions: number
}

/** The leads that came in a range, counted by source, by campaign, by point and in all, in one pass. */
export async function countCohort(db: Db, { from, to, starts }: LeadWindow): Promise<CohortRow[]> {
  const { rows } = await sql<CohortRow>`
    with cohort as (
      select l.source, l.campaign_id, l.status, ${placeOf('l.created_at', starts)} as place
      from leads l where l.created_at >= ${from} and l.created_at <= ${to})
    select case when grouping(source) = 0 then 'source' when grouping(campaign_id) = 0 then 'campaign'
        when grouping(place) = 0 then 'place' else 'all' end as by,
      source, campaign_id, place, count(*)::int as leads, count(*) filter (where status = 'converted')::int as conversions,
      (select name from campaigns where id = campaign_id) as campaign
    from cohort group by grouping sets ((source), (campaign_id), (place), ())`.execute(db)
  return rows
}

export interface ConversionRow {
  /** Nothing: all of the range. */
  place: number | null
  count: number
  seconds: number | null
}

/** The conversions of a range, by point and in all, with the seconds that they took on average. */
export async function countConversions(db: Db, { from, to, starts }: LeadWindow): Promise<ConversionRow[]> {
  const { rows } = await sql<ConversionRow>`
    with done as (
      select ${placeOf('l.converted_at', starts)} as place, extract(epoch from l.converted_at - l.created_at)::float8 as seconds
      from leads l where l.converted_at >= ${from} and l.converted_at <= ${to})
    select place, count(*)::int as count, avg(seconds) as seconds
    from done group by grouping sets ((place), ())`.execute(db)
  return rows
}

/** Leads that were set to Contacted, by point; one that was so twice within a point counts once. */
export async function countContacted(
  db: Db,
  { from, to, starts }: LeadWindow,
): Promise<{ place: number; count: number }[]> {
  const { rows } = await sql<{ place: number; count: number }>`
    select ${placeOf('s.entered_at', starts)} as place, count(distinct s.lead_id)::int as count
    from lead_steps s where s.status = 'contacted' and s.entered_at >= ${from} and s.entered_at <= ${to}
    group by 1`.execute(db)
  return rows
}

/** Minutes from arrival to first answer, in the middle of the leads of a range that were answered. */
export async function findFirstResponse(db: Db, { from, to }: LeadWindow): Promise<number | null> {
  const { rows } = await sql<{ minutes: number | null }>`
    select percentile_cont(0.5) within group (order by extract(epoch from first_response_at - created_at)::float8 / 60) as minutes
    from leads where created_at >= ${from} and created_at <= ${to} and first_response_at is not null`.execute(db)
  return rows[0]?.minutes ?? null
}

const way = sql`array['new', 'onboarding_started', 'onboarding_completed', 'contacted', 'converted']`

export interface ReachRow {
  /** The farthest step, counted from 1. */
  far: number
  count: number
}

/** How far the leads of a range came, whatever became of them since. */
export async function countReached(db: Db, { from, to }: LeadWindow): Promise<ReachRow[]> {
  const { rows } = await sql<ReachRow>`
    select far, count(*)::int as count from (
      select coalesce(max(array_position(${way}, s.status)), 1) as far
      from leads l join lead_steps s on s.lead_id = l.id
      where l.created_at >= ${from} and l.created_at <= ${to} group by l.id) reached
    group by far`.execute(db)
  return rows
}

/** Where the leads of a range stand now, those who were lost with their reasons. */
export async function countStanding(
  db: Db,
  { from, to }: LeadWindow,
): Promise<{ status: LeadStatus; reason: string | null; count: number }[]> {
  const { rows } = await sql<{ status: LeadStatus; reason: string | null; count: number }>`
    select status, lost_reason as reason, count(*)::int as count
    from leads where created_at >= ${from} and created_at <= ${to}
    group by status, lost_reason`.execute(db)
  return rows
}

/** Hours in each step, in the middle of the stays that ended, of the leads of a range. */
export async function findStays(db: Db, { from, to }: LeadWindow): Promise<{ status: LeadStatus; hours: number }[]> {
  const { rows } = await sql<{ status: LeadStatus; hours: number }>`
    select s.status, percentile_cont(0.5) within group (order by extract(epoch from s.left_at - s.entered_at)::float8 / 3600) as hours
    from leads l join lead_steps s on s.lead_id = l.id
    where l.created_at >= ${from} and l.created_at <= ${to} and s.left_at is not null
    group by s.status`.execute(db)
  return rows
}
