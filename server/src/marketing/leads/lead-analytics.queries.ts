import { type LeadSource, type LeadStatus, LeadStep } from '@limber/contract/marketing/leads/lead.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import type { LeadWindow } from './lead-range.rules.ts'

/** The 1-based chart point that a time falls into. */
const pointOf = (column: string, starts: readonly Date[]) =>
  sql`width_bucket(${sql.ref(column)}, ${starts.map((start) => start.toISOString())}::timestamptz[])`

export interface CohortRow {
  /** What the row is grouped by; `all` for the total of the range. */
  by: 'source' | 'campaign' | 'point' | 'all'
  source: LeadSource | null
  campaign_id: number | null
  campaign: string | null
  point: number | null
  leads: number
  conversions: number
}

/** Counts leads created in a range by source, campaign, chart point and in total, in one pass. */
export async function countCohort(db: Db, { from, to, starts }: LeadWindow): Promise<CohortRow[]> {
  const { rows } = await sql<CohortRow>`
    with cohort as (
      select l.source, l.campaign_id, l.status, ${pointOf('l.created_at', starts)} as point
      from leads l where l.created_at >= ${from} and l.created_at <= ${to})
    select case when grouping(source) = 0 then 'source' when grouping(campaign_id) = 0 then 'campaign'
        when grouping(point) = 0 then 'point' else 'all' end as by,
      source, campaign_id, point, count(*)::int as leads, count(*) filter (where status = 'converted')::int as conversions,
      (select name from campaigns where id = campaign_id) as campaign
    from cohort group by grouping sets ((source), (campaign_id), (point), ())`.execute(db)
  return rows
}

export interface ConversionRow {
  /** Null for the total of the range. */
  point: number | null
  count: number
  seconds: number | null
}

/** Counts conversions of a range by chart point and in total, with their average duration. */
export async function countConversions(db: Db, { from, to, starts }: LeadWindow): Promise<ConversionRow[]> {
  const { rows } = await sql<ConversionRow>`
    with done as (
      select ${pointOf('l.converted_at', starts)} as point, extract(epoch from l.converted_at - l.created_at)::float8 as seconds
      from leads l where l.converted_at >= ${from} and l.converted_at <= ${to})
    select point, count(*)::int as count, avg(seconds) as seconds
    from done group by grouping sets ((point), ())`.execute(db)
  return rows
}

/** Counts leads set to Contacted by chart point; a lead counts once per point. */
export async function countContacted(
  db: Db,
  { from, to, starts }: LeadWindow,
): Promise<{ point: number; count: number }[]> {
  const { rows } = await sql<{ point: number; count: number }>`
    select ${pointOf('s.entered_at', starts)} as point, count(distinct s.lead_id)::int as count
    from lead_steps s where s.status = 'contacted' and s.entered_at >= ${from} and s.entered_at <= ${to}
    group by 1`.execute(db)
  return rows
}

/** Median minutes from creation to first response. */
export async function findFirstResponse(db: Db, { from, to }: LeadWindow): Promise<number | null> {
  const { rows } = await sql<{ minutes: number | null }>`
    select percentile_cont(0.5) within group (order by extract(epoch from first_response_at - created_at)::float8 / 60) as minutes
    from leads where created_at >= ${from} and created_at <= ${to} and first_response_at is not null`.execute(db)
  return rows[0]?.minutes ?? null
}

export interface ReachRow {
  /** The furthest step reached, counted from 1. */
  far: number
  status: LeadStatus
  count: number
}

/** Counts leads of a range by the furthest step they reached and their status now. */
export async function countReached(db: Db, { from, to }: LeadWindow): Promise<ReachRow[]> {
  const { rows } = await sql<ReachRow>`
    select farthest as far, status, count(*)::int as count
    from leads where created_at >= ${from} and created_at <= ${to}
    group by farthest, status`.execute(db)
  return rows
}

/** Reasons for lost leads of a range, most common first. */
export async function findLostReasons(
  db: Db,
  { from, to }: LeadWindow,
  most: number,
): Promise<{ reason: string; count: number }[]> {
  const { rows } = await sql<{ reason: string; count: number }>`
    select lost_reason as reason, count(*)::int as count
    from leads where status = 'not_interested' and created_at >= ${from} and created_at <= ${to} and lost_reason is not null
    group by lost_reason order by count(*) desc, lost_reason limit ${most}`.execute(db)
  return rows
}

/** Median hours in each step, over leads of a range that left it. Steps that a merge ended do not count. */
export async function findStepHours(
  db: Db,
  { from, to }: LeadWindow,
): Promise<{ status: LeadStatus; hours: number }[]> {
  const { rows } = await sql<{ status: LeadStatus; hours: number }>`
    select status, percentile_cont(0.5) within group (order by extract(epoch from left_at - entered_at)::float8 / 3600) as hours
    from lead_steps
    where status = any(${LeadStep.options}) and lead_created_at >= ${from} and lead_created_at <= ${to} and left_at is not null
      and not ended_by_merge
    group by status`.execute(db)
  return rows
}
