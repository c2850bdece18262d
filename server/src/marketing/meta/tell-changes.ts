import { timesOf } from './ad.rules.ts'
import type { Pushing, Walk } from './ad-walk.ts'
import type { Told } from './campaign-push.queries.ts'

/**
 * Sends an update to Meta. The values count as unknown until the reply arrives, and this is saved first: after a lost
 * reply the next attempt sends them again, even if they have changed back. Updates are idempotent.
 */
async function tell(
  { told, begin, save, pause }: Pushing,
  step: string,
  news: Partial<Told>,
  say: () => Promise<unknown>,
) {
  pause()
  for (const name of Object.keys(news) as (keyof Told)[]) delete told[name]
  await begin({ step, told: JSON.stringify(told) })
  await say()
  Object.assign(told, news)
  await save({ told: JSON.stringify(told) })
}

/** Pauses a campaign on Meta. Runs first, so that no other fault can keep an ad running. */
export async function tellStop(pushing: Pushing) {
  const { campaign, told, graph } = pushing
  const { meta_campaign_id: campaignId, status } = campaign
  if (campaignId === null || status === 'active' || told.isActive === false) return
  // Pausing the campaign pauses everything in it.
  await tell(pushing, 'status', { isActive: false }, () => graph.post(campaignId, { status: 'PAUSED' }))
}

interface Made {
  campaignId: string
  adsetId: string
  adId: string
}

/** Sends all values that Meta may not have yet. */
export async function tellChanges(walk: Walk, { campaignId, adsetId, adId }: Made) {
  const { campaign, told, graph, now, name, dailyBudget } = walk
  const { budget, start_date: startDate, end_date: endDate } = campaign
  if (told.budget !== budget)
    await tell(walk, 'budget', { budget }, () => graph.post(adsetId, { daily_budget: dailyBudget }))
  if (told.endDate !== endDate) {
    const { end_time = '0' } = timesOf(startDate, endDate, now)
    await tell(walk, 'end date', { endDate }, () => graph.post(adsetId, { end_time }))
  }
  if (told.name !== campaign.name)
    await tell(walk, 'name', { name: campaign.name }, () => graph.post(campaignId, { name }))
  if (campaign.status === 'active' && told.isActive !== true)
    await tell(walk, 'status', { isActive: true }, async () => {
      // An ad runs only if all three are active; the campaign is activated last.
      for (const id of [adId, adsetId, campaignId]) await graph.post(id, { status: 'ACTIVE' })
    })
}
