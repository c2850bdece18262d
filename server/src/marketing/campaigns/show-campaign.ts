import { companyDay, companyZone } from '@limber/contract/kit/company.ts'
import type { Campaign, CampaignDetail, CampaignStats } from '@limber/contract/marketing/campaigns/campaign.ts'
import { findCampaignResult } from '#growth/public.ts'
import type { Config } from '#platform/config.ts'
import type { Db } from '#platform/db/db.ts'
import { presentCampaign, presentCampaignDetail } from './campaign.present.ts'
import { countLeadsByDay, findCampaign, findCampaignDetail, readCampaignStats } from './campaign.queries.ts'
import { shownDays } from './campaign.rules.ts'

export const isConnected = (config: Config) => config.meta?.ads !== undefined

/** What presenting a campaign needs besides its row. */
export const environmentOf = (config: Config, now: Date) => ({
  isConnected: isConnected(config),
  today: companyDay(now),
})

/** The campaign with its results; undefined if it does not exist. */
export async function showCampaign(db: Db, config: Config, id: number, now: Date): Promise<CampaignDetail | undefined> {
  const row = await findCampaignDetail(db, id)
  if (!row) return undefined
  const environment = environmentOf(config, now)
  const range = shownDays(row, environment.today)
  const days = range ? await countLeadsByDay(db, id, companyZone(), range.from, range.to) : []
  return presentCampaignDetail(row, days, await findCampaignResult(db, id), environment)
}

/** The campaign with the counts that a change may have affected. */
export async function showWithStats(
  db: Db,
  config: Config,
  id: number,
  now: Date,
): Promise<{ campaign: Campaign; stats: CampaignStats }> {
  const row = await findCampaign(db, id)
  if (!row) throw new Error(`Campaign ${id} is gone.`)
  const environment = environmentOf(config, now)
  return { campaign: presentCampaign(row, environment), stats: await readCampaignStats(db, environment.today) }
}
