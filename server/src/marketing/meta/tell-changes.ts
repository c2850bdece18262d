import { timesOf } from './ad.rules.ts'
import type { Pushing, Walk } from './ad-walk.ts'
import type { Told } from './campaign-push.queries.ts'

/**
 * Says something to Meta. Until the answer is here nobody knows what holds there, and that is written down first: whoever
 * comes after a lost answer says it again, also when the wish is the old one by then. Said twice, it means the same.
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

/** Switches off what may be on. It goes first: nothing that is wrong with an ad keeps it from being stopped. */
export async function tellStop(pushing: Pushing) {
  const { campaign, told, graph } = pushing
  const { meta_campaign_id: campaignId, status } = campaign
  if (campaignId === null || status === 'active' || told.isActive === false) return
  // The campaign alone stops everything.
  await tell(pushing, 'status', { isActive: false }, () => graph.post(campaignId, { status: 'PAUSED' }))
}

interface Made {
  campaignId: string
  adsetId: string
  adId: string
}

/** Tells Meta what it does not know yet, or may not. */
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
      // An ad runs when all three do; the campaign goes last.
      for (const id of [adId, adsetId, campaignId]) await graph.post(id, { status: 'ACTIVE' })
    })
}
