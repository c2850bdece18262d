import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { claimed, isFree, released } from '#platform/jobs/lease.ts'
import { randomToken } from '#platform/security/secrets.ts'

/** The progress of a video upload in parts. */
export interface VideoUpload {
  session: string
  video: string
  start: string
  end: string
}

/** The values that Meta confirmed for a campaign. A lost reply makes a value unknown. */
export interface KnownValues {
  isActive: boolean
  name: string
  budget: string | null
  endDate: string | null
}

declare module '#platform/db/column-types.ts' {
  interface JsonColumns {
    'campaign_pushes.told': Partial<KnownValues>
    'campaign_pushes.upload': VideoUpload
  }
}

/** Locks the push of a campaign; inserts it if there is none. */
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

/** Claims a push; false if another process holds the lease. */
export async function claimPush(db: Db, campaignId: number, lease: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('campaign_pushes')
    .set({ lease, ...claimed })
    .where('campaign_id', '=', campaignId)
    .where(isFree)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Another process holds the lease now, so this one must stop. */
export class LeaseLostError extends Error {}

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

/** The version of a campaign, locked until the transaction ends. */
export async function lockVersion(db: Db, campaignId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('campaigns')
    .select('version')
    .where('id', '=', campaignId)
    .forShare()
    .executeTakeFirst()
  return row?.version
}

/** Saves the progress of a push; throws if the lease is lost. */
export async function savePush(db: Db, campaignId: number, lease: string, change: PushChange, now: Date) {
  const { numUpdatedRows } = await db
    .updateTable('campaign_pushes')
    .set({ ...change, updated_at: now })
    .where('campaign_id', '=', campaignId)
    .where('lease', '=', lease)
    .executeTakeFirst()
  if (Number(numUpdatedRows) === 0) throw new LeaseLostError('Another process took over this campaign.')
}

/** Links the campaign to its Meta id, so that leads are assigned to it. */
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

/** The Meta objects of a campaign; undefined if it was never pushed. */
export const findCreatedParts = (db: Db, campaignId: number) =>
  db
    .selectFrom('campaign_pushes')
    .select(['begun', 'adset_id', 'form_id', 'creative_id'])
    .where('campaign_id', '=', campaignId)
    .executeTakeFirst()

/** Open and failed pushes, for System health. */
export async function countPushes(db: Db) {
  const { rows } = await sql<{ open: number; failed: number; error: string | null }>`
    select count(*) filter (where state in ('waiting', 'retrying'))::int as open,
      count(*) filter (where state = 'failed')::int as failed,
      (array_agg(error order by updated_at desc) filter (where state = 'failed'))[1] as error
    from campaign_pushes where state <> 'done'`.execute(db)
  return rows[0]
}
