import { campaignFieldNames } from '@limber/contract/marketing/campaigns/campaign.ts'
import type { CampaignPhase } from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db, Row, Tables } from '#platform/db/db.ts'

type Columns = Row<'campaigns'>
type Field = (typeof campaignFieldNames)[number]
type PushColumns = Row<'campaign_pushes'>
type Shown = 'name' | 'status' | 'source' | 'budget' | 'start_date' | 'end_date' | 'tagged_entities'

export interface CampaignRow extends Pick<Columns, 'id' | Shown | 'meta_campaign_id' | 'created_at' | 'version'> {
  leads: number
  conversions: number
  push_state: PushColumns['state'] | null
  push_step: string | null
  push_error: string | null
}

export interface CampaignFilter {
  status: CampaignPhase | ''
  /** Today in the company's time zone, which decides what is scheduled. */
  today: string
  /** A LIKE pattern; undefined for all campaigns. */
  pattern: string | undefined
}

/** The key of the outbox message that pushes a campaign to Meta. */
export const pushKey = (id: number, round: number) => `campaign:${id}:${round}`

// A dead message counts as failed, whatever state the last attempt saved.
const columns = sql`c.id, c.name, c.status, c.source, c.budget::text as budget, c.start_date, c.end_date, c.tagged_entities,
  c.meta_campaign_id, c.created_at, c.version, kept_count('campaign ' || c.id, 'leads')::int as leads,
  kept_count('campaign ' || c.id, 'conversions')::int as conversions, p.step as push_step, p.error as push_error,
  case when o.state in ('dead', 'discarded') then 'failed' else p.state end as push_state`

const joins = sql`
  left join campaign_pushes p on p.campaign_id = c.id
  left join outbox o on o.key = 'campaign:' || p.campaign_id || ':' || p.rounds`

/** `campaignPhase` in SQL. */
const isIn = (phase: CampaignPhase, today: string) => {
  if (phase === 'scheduled') return sql`c.status = 'active' and c.start_date > ${today}`
  return phase === 'active' ? sql`c.status = 'active' and c.start_date <= ${today}` : sql`c.status = ${phase}`
}

const conditions = ({ status, today, pattern }: CampaignFilter) =>
  sql.join(
    [
      sql`true`,
      ...(status ? [isIn(status, today)] : []),
      ...(pattern === undefined ? [] : [sql`lower(c.name) like lower(${pattern})`]),
    ],
    sql` and `,
  )

/** One page of campaigns, newest first. A search is materialized first, so that the planner uses the search index. */
export async function findCampaigns(db: Db, filter: CampaignFilter, limit: number, offset: number) {
  const matches = sql`select c.id, c.created_at from campaigns c where ${conditions(filter)}`
  const source =
    filter.pattern === undefined
      ? sql`(${matches})`
      : sql`(with matches as materialized (${matches}) select * from matches)`
  const { rows } = await sql<CampaignRow>`
    select ${columns}
    from (select id from ${source} m order by created_at desc, id desc limit ${limit} offset ${offset}) page
    join campaigns c on c.id = page.id ${joins}
    order by c.created_at desc, c.id desc`.execute(db)
  return rows
}

export async function countCampaigns(db: Db, filter: CampaignFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from campaigns c where ${conditions(filter)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Counts of all campaigns and their leads. */
export async function readCampaignStats(db: Db, today: string) {
  const { rows } = await sql<{ active: number; completed: number; total_leads: number; total_conversions: number }>`
    select (select count(*) from campaigns c where ${isIn('active', today)})::int as active,
      (select count(*) from campaigns where status = 'completed')::int as completed,
      kept_count('campaigns', 'leads')::int as total_leads, kept_count('campaigns', 'conversions')::int as total_conversions`.execute(
    db,
  )
  return rows[0] ?? { active: 0, completed: 0, total_leads: 0, total_conversions: 0 }
}

export interface CampaignDetailRow
  extends CampaignRow,
    Pick<Columns, Field>,
    Pick<PushColumns, 'begun' | 'adset_id' | 'form_id' | 'creative_id'> {
  media: NewMedia[]
  created_by_name: string | null
}

const details = sql`c.ad_message, c.target_audience, c.goals, c.notes, c.link_description, c.meta_ad_objective,
  c.lead_form_fields, c.custom_questions, w.name as created_by_name, p.begun, p.adset_id, p.form_id, p.creative_id,
  (select coalesce(jsonb_agg(jsonb_build_object('name', m.name, 'filename', m.filename, 'mime_type', m.mime_type,
    'bytes', m.bytes) order by m.position), '[]') from campaign_media m where m.campaign_id = c.id) as media`

/** A campaign with all its fields. */
export async function findCampaignDetail(db: Db, id: number): Promise<CampaignDetailRow | undefined> {
  const { rows } = await sql<CampaignDetailRow>`
    select ${columns}, ${details} from campaigns c ${joins} left join workers w on w.id = c.created_by
    where c.id = ${id}`.execute(db)
  return rows[0]
}

export async function findCampaign(db: Db, id: number): Promise<CampaignRow | undefined> {
  const { rows } = await sql<CampaignRow>`select ${columns} from campaigns c ${joins} where c.id = ${id}`.execute(db)
  return rows[0]
}

/** Leads of a campaign by creation day; both ends are included. */
export async function countLeadsByDay(db: Db, id: number, zone: string, from: string, to: string) {
  const { rows } = await sql<{ day: string; leads: number; conversions: number }>`
    select d::date::text as day, count(l.id)::int as leads, count(l.id) filter (where l.status = 'converted')::int as conversions
    from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') d
    left join leads l on l.campaign_id = ${id}
      and l.created_at >= (d at time zone ${zone}) and l.created_at < ((d + interval '1 day') at time zone ${zone})
    group by d order by d`.execute(db)
  return rows
}

/** Locks a campaign for a change. */
export const lockCampaign = (db: Db, id: number) =>
  db
    .selectFrom('campaigns')
    .select(['id', 'status', ...campaignFieldNames, 'meta_campaign_id', 'version'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const changeCampaign = (db: Db, id: number, change: Updateable<Tables['campaigns']>, now: Date) =>
  db
    .updateTable('campaigns')
    .set((eb) => ({ ...change, updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()

export const insertCampaign = async (
  db: Db,
  draft: Required<Pick<Insertable<Tables['campaigns']>, Field | 'status'>>,
  workerId: number,
  now: Date,
): Promise<number> => {
  const { id } = await db
    .insertInto('campaigns')
    .values({ ...draft, created_by: workerId, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type NewMedia = Omit<Row<'campaign_media'>, 'campaign_id' | 'position' | 'created_at'>

export const insertMedia = async (db: Db, campaignId: number, media: readonly NewMedia[], now: Date) => {
  if (media.length === 0) return
  await db
    .insertInto('campaign_media')
    .values(media.map((one, position) => ({ ...one, campaign_id: campaignId, position, created_at: now })))
    .execute()
}

export const findMedia = (db: Db, name: string) =>
  db
    .selectFrom('campaign_media')
    .select(['name', 'filename', 'mime_type', 'bytes'])
    .where('name', '=', name)
    .executeTakeFirst()

/** The given names that have a record. */
export const findKnownMedia = async (db: Db, names: readonly string[]): Promise<Set<string>> => {
  if (names.length === 0) return new Set()
  const rows = await db.selectFrom('campaign_media').select('name').where('name', 'in', names).execute()
  return new Set(rows.map(({ name }) => name))
}
