import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { claimed, isFree, released } from '#platform/jobs/lease.ts'
import { randomToken } from '#platform/security/secrets.ts'

/** A film that goes up in parts, and how far it came. */
export interface VideoUpload {
  session: string
  video: string
  start: string
  end: string
}

/** What Meta knows of a campaign: what each thing was made with, and what it was told since. A lost answer makes it unknown. */
export interface Told {
  isActive: boolean
  name: string
  budget: string | null
  endDate: string | null
}

declare module '#platform/db/column-types.ts' {
  interface JsonColumns {
    'campaign_pushes.told': Partial<Told>
    'campaign_pushes.upload': VideoUpload
  }
}

/** The push of a campaign, held for a change; made when there is none. */
export async function lockPush(db: Db, campaignId: number, now: Date): Promise<{ rounds: number }> {
  const { rows } = await sql<{ rounds: number }>`
    insert into campaign_pushes (campaign_id, mark, updated_at)
    values (${campaignId}, ${`limber-${randomToken(9).replace(/[^A-Za-z0-9]/g, '0')}`}, ${now})
    on conflict (campaign_id) do update set updated_at = ${now} returning rounds`.execute(db)
  return rows[0] ?? { rounds: 0 }
}

export const setWaiting = (db: Db, campaignId: number, rounds: number) =>
  db
    .updateTable('campaign_pushes')
    .set({ state: 'waiting', error: null, rounds })
    .where('campaign_id', '=', campaignId)
    .execute()

/** Takes a push, unless another process is at it. */
export async function claimPush(db: Db, campaignId: number, lease: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('campaign_pushes')
    .set({ lease, ...claimed })
    .where('campaign_id', '=', campaignId)
    .where(isFree)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Another process took over: this one must not go on. */
export class LostLease extends Error {}

export interface PushChange {
  state?: 'waiting' | 'retrying' | 'failed' | 'done'
  step?: string | null
  error?: string | null
  begun?: string | null
  adset_id?: string
  form_id?: string
  image_hash?: string
  video_id?: string
  upload?: string | null
  creative_id?: string
  ad_id?: string
  told?: string
}

/** The version of a campaign, which nobody changes until the transaction ends. */
export async function lockVersion(db: Db, campaignId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('campaigns')
    .select('version')
    .where('id', '=', campaignId)
    .forShare()
    .executeTakeFirst()
  return row?.version
}

/** Writes how far a push came, if it is still ours. */
export async function savePush(db: Db, campaignId: number, lease: string, change: PushChange, now: Date) {
  const { numUpdatedRows } = await db
    .updateTable('campaign_pushes')
    .set({ ...change, updated_at: now })
    .where('campaign_id', '=', campaignId)
    .where('lease', '=', lease)
    .executeTakeFirst()
  if (Number(numUpdatedRows) === 0) throw new LostLease('Another process took this campaign over.')
}

/** The campaign is there: leads find it by this number from now on. */
export const saveMetaCampaign = (db: Db, campaignId: number, metaId: string) =>
  db.updateTable('campaigns').set({ meta_campaign_id: metaId }).where('id', '=', campaignId).execute()

export const releasePush = (db: Db, campaignId: number, lease: string) =>
  db
    .updateTable('campaign_pushes')
    .set({ lease: null, ...released })
    .where('campaign_id', '=', campaignId)
    .where('lease', '=', lease)
    .execute()

export const findPush = (db: Db, campaignId: number) =>
  db
    .selectFrom('campaign_pushes')
    .select([
      'mark',
      'begun',
      'adset_id',
      'form_id',
      'image_hash',
      'video_id',
      'upload',
      'creative_id',
      'ad_id',
      'told',
    ])
    .where('campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow()
export type Push = Awaited<ReturnType<typeof findPush>>

/** What is there of a campaign that was ever on its way to Meta. */
export const findMade = (db: Db, campaignId: number) =>
  db
    .selectFrom('campaign_pushes')
    .select(['begun', 'adset_id', 'form_id', 'creative_id'])
    .where('campaign_id', '=', campaignId)
    .executeTakeFirst()

/** How the campaigns fare that belong to Meta, for System health. */
export async function countPushes(db: Db) {
  const { rows } = await sql<{ open: number; failed: number; error: string | null }>`
    select count(*) filter (where state in ('waiting', 'retrying'))::int as open,
      count(*) filter (where state = 'failed')::int as failed,
      (array_agg(error order by updated_at desc) filter (where state = 'failed'))[1] as error
    from campaign_pushes where state <> 'done'`.execute(db)
  return rows[0]
}
