import type { TaskFigures } from '@limber/contract/growth/tasks/task.ts'
import type { CampaignStatus } from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

export interface ResultRow {
  campaign_id: number
  name: string
  status: CampaignStatus
  start_date: string
  city_name: string
  expected: TaskFigures
  similar: string[]
  marks: { after_days: number; figures: TaskFigures; control: TaskFigures | null }[]
}

/** The day of a mark: day 0 is the one before the start. */
const dayOfMark = sql`(c.start_date - 1 + k.after_days::int)`

export const insertCampaignPlace = (db: Db, campaignId: number, cityName: string, expected: TaskFigures) =>
  db
    .insertInto('campaign_places')
    .values({ campaign_id: campaignId, city_name: cityName, expected: JSON.stringify(expected) })
    .execute()

const results = sql`
  select p.campaign_id, c.name, c.status, c.start_date, p.city_name, p.expected,
    coalesce((select jsonb_agg(z.name order by z.name) from zones z where z.id = any(p.controls)), '[]') as similar,
    coalesce((select jsonb_agg(jsonb_build_object('after_days', k.after_days, 'figures', k.figures, 'control', k.control)
      order by k.after_days) from campaign_marks k where k.campaign_id = p.campaign_id and k.day = ${dayOfMark}), '[]') as marks
  from campaign_places p join campaigns c on c.id = p.campaign_id`

export async function findResult(db: Db, campaignId: number): Promise<ResultRow | undefined> {
  const { rows } = await sql<ResultRow>`${results} where p.campaign_id = ${campaignId}`.execute(db)
  return rows[0]
}

/** The newest campaigns for a zone or city. */
export async function findResultsOf(db: Db, cityName: string, limit: number): Promise<ResultRow[]> {
  const { rows } = await sql<ResultRow>`
    ${results} where p.city_key = lower(${cityName}) order by p.campaign_id desc limit ${limit}`.execute(db)
  return rows
}

export interface DueMark {
  campaign_id: number
  after_days: number
  day: string
  city_name: string
  controls: number[] | null
}

/** Marks whose day is over and that were not taken for that day. */
export async function findDueMarks(db: Db, today: string, limit: number): Promise<DueMark[]> {
  const { rows } = await sql<DueMark>`
    select p.campaign_id, k.after_days, ${dayOfMark} as day, p.city_name, p.controls
    from campaign_places p join campaigns c on c.id = p.campaign_id cross join (values (0), (30), (60), (90)) k (after_days)
    where ${dayOfMark} < ${today}::date and not exists (
      select from campaign_marks m where m.campaign_id = p.campaign_id and m.after_days = k.after_days and m.day = ${dayOfMark})
    order by p.campaign_id, k.after_days limit ${limit}`.execute(db)
  return rows
}

/**
 * The zones with the nearest number of users, by ratio, from the stored figures. A zone with its own campaign around that
 * time is no control.
 */
export async function findSimilarZones(
  db: Db,
  { cityName, users, day }: { cityName: string; users: number; day: string },
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select z.id from growth_places g join zones z on z.id = g.zone_id
    where g.range_days = 30 and g.users > 0 and lower(z.name) <> lower(${cityName}) and not exists (
      select from campaign_places p join campaigns c on c.id = p.campaign_id
      where p.city_key = lower(z.name) and c.start_date between ${day}::date - 90 and ${day}::date + 90)
    order by abs(ln(g.users) - ln(greatest(${users}::int, 1))), z.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export const setControls = (db: Db, campaignId: number, controls: readonly number[]) =>
  db
    .updateTable('campaign_places')
    .set({ controls: sql`${controls}::bigint[]` })
    .where('campaign_id', '=', campaignId)
    .execute()

export const putMark = (
  db: Db,
  mark: { campaign_id: number; after_days: number; day: string; figures: TaskFigures; control: TaskFigures | null },
) => {
  const { figures, control, ...key } = mark
  const values = { ...key, figures: JSON.stringify(figures), control: control && JSON.stringify(control) }
  return db
    .insertInto('campaign_marks')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['campaign_id', 'after_days'])
        .doUpdateSet({ day: values.day, figures: values.figures, control: values.control }),
    )
    .execute()
}
