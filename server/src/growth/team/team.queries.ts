import { codeOf } from '@limber/contract/access/permissions.ts'
import type { CampaignPhase } from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

/** Workers in marketing and growth. Owners have every permission; they join the team with their first assignment. */
const isTeam = sql<boolean>`(w.status in ('active', 'invited') and w.permissions @> ${sql.lit(`{${codeOf('growth.tab')}}`)}::text[]
  and (w.role in ('Marketing', 'Growth')
    or exists (select from campaign_members m where m.worker_id = w.id)
    or exists (select from city_tasks t where t.assignee_id = w.id)
    or exists (select from leads l where l.assignee_id = w.id)))`

const MAX_MEMBERS = 500

/** Leads each worker moved to Contacted, and leads they converted that are still converted. */
const work = sql`
  select worker_id, count(distinct lead_id) filter (where status = 'contacted') as contacted,
    count(distinct lead_id) filter (where status = 'converted' and left_at is null) as converted
  from lead_steps where worker_id is not null and status in ('contacted', 'converted') group by 1`

export interface MemberRecord {
  id: number
  name: string
  role: string | null
  is_pending: boolean
  last_active: Date | null
  is_signed_in: boolean
  city: string | null
  campaigns: { id: number; name: string }[]
  contacted: number
  converted: number
}

/** The roster by name, with everyone's assignments, in one statement. */
export async function findTeam(db: Db, onlineSince: Date, today: string): Promise<MemberRecord[]> {
  const { rows } = await sql<MemberRecord>`
    with team as materialized (select w.id, w.name, w.role, w.status from workers w where ${isTeam} order by w.name, w.id limit ${MAX_MEMBERS}),
    work as (${work})
    select w.id, w.name, w.role, w.status = 'invited' as is_pending, s.last_active, coalesce(s.is_signed_in, false) as is_signed_in,
      (select mode() within group (order by t.city_name) from city_tasks t where t.assignee_id = w.id and t.city_name is not null) as city,
      coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.name)
        from campaign_members m join campaigns c on c.id = m.campaign_id
        where m.worker_id = w.id and c.status = 'active' and c.start_date <= ${today}), '[]') as campaigns,
      coalesce(d.contacted, 0)::int as contacted, coalesce(d.converted, 0)::int as converted
    from team w
    left join lateral (
      select max(last_seen_at) as last_active, bool_or(ended_at is null and last_seen_at >= ${onlineSince}) as is_signed_in
      from sessions where worker_id = w.id) s on true
    left join work d on d.worker_id = w.id
    order by w.name, w.id`.execute(db)
  return rows
}

export interface LeaderRecord {
  id: number
  name: string
  contacted: number
  converted: number
  top_channel: string | null
}

/** Everyone with results, including workers who left the team. */
export async function findLeaders(db: Db): Promise<LeaderRecord[]> {
  const { rows } = await sql<LeaderRecord>`
    with work as (${work})
    select w.id, w.name, d.contacted::int as contacted, d.converted::int as converted, (
      select mode() within group (order by l.source) from lead_steps s join leads l on l.id = s.lead_id
      where s.worker_id = w.id and s.status = 'converted' and s.left_at is null) as top_channel
    from work d join workers w on w.id = d.worker_id
    where d.contacted + d.converted > 0
    order by d.converted desc, d.contacted desc, w.name, w.id limit ${MAX_MEMBERS}`.execute(db)
  return rows
}

export interface SummaryRecord {
  leads: number
  converted: number
  minutes: number | null
  campaigns: number
}

export async function sumTeam(db: Db, since: Date): Promise<SummaryRecord> {
  const { rows } = await sql<SummaryRecord>`
    select count(*)::int as leads, count(*) filter (where status = 'converted')::int as converted,
      (avg(extract(epoch from first_response_at - created_at)) / 60)::float8 as minutes,
      (select count(distinct m.campaign_id)::int from campaign_members m join campaigns c on c.id = m.campaign_id
        where c.status <> 'completed') as campaigns
    from leads where created_at >= ${since}`.execute(db)
  return rows[0] ?? { leads: 0, converted: 0, minutes: null, campaigns: 0 }
}

/** The newest conversion and the worker who made it. */
export async function findRecentWin(db: Db) {
  const { rows } = await sql<{ id: number; lead: string; worker: string | null; at: Date }>`
    select l.id, coalesce(nullif(btrim(l.first_name || ' ' || l.last_name), ''), l.email, l.phone) as lead, w.name as worker,
      l.converted_at as at
    from leads l
    left join lead_steps s on s.lead_id = l.id and s.status = 'converted' and s.left_at is null
    left join workers w on w.id = s.worker_id
    where l.converted_at is not null order by l.converted_at desc limit 1`.execute(db)
  return rows[0]
}

export interface CampaignRecord {
  id: number
  name: string
  status: CampaignPhase
  members: { id: number; name: string }[]
}

const campaignColumns = (
  today: string,
) => sql`c.id, c.name, case when c.status = 'active' and c.start_date > ${today} then 'scheduled' else c.status end as status, coalesce((
  select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name) order by w.name)
  from campaign_members m join workers w on w.id = m.worker_id where m.campaign_id = c.id), '[]') as members`
const MAX_CAMPAIGNS = 500

export async function findOpenCampaigns(db: Db, today: string): Promise<CampaignRecord[]> {
  const { rows } = await sql<CampaignRecord>`
    select ${campaignColumns(today)} from campaigns c where c.status <> 'completed' order by lower(c.name), c.id limit ${MAX_CAMPAIGNS}`.execute(
    db,
  )
  return rows
}

export async function findCampaign(db: Db, id: number, today: string): Promise<CampaignRecord | undefined> {
  const { rows } =
    await sql<CampaignRecord>`select ${campaignColumns(today)} from campaigns c where c.id = ${id}`.execute(db)
  return rows[0]
}

export const addMember = (db: Db, campaignId: number, workerId: number, by: number, now: Date) =>
  db
    .insertInto('campaign_members')
    .values({ campaign_id: campaignId, worker_id: workerId, assigned_by: by, assigned_at: now })
    .onConflict((clash) => clash.columns(['campaign_id', 'worker_id']).doNothing())
    .execute()

export const removeMember = (db: Db, campaignId: number, workerId: number) =>
  db.deleteFrom('campaign_members').where('campaign_id', '=', campaignId).where('worker_id', '=', workerId).execute()
