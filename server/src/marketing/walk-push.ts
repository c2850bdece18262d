import { timesOf } from './ad.rules.ts'
import { bringMedia, findTargeting, makeAd, makeAdSet, makeCampaign, makeCreative, makeForm } from './ad-steps.ts'
import { beginWalk, type Pushing, type Walk } from './ad-walk.ts'
import type { Told } from './tables.ts'

/** Walks the steps of an ad, each once; then tells Meta what changed since. Answers the number of the campaign there. */
export async function walkPush(pushing: Pushing): Promise<string> {
  const walk = beginWalk(pushing)
  const targeting = await findTargeting(walk)
  const campaignId = await makeCampaign(walk)
  const adsetId = await makeAdSet(walk, campaignId, targeting)
  const formId = await makeForm(walk)
  const creativeId = await makeCreative(walk, formId, await bringMedia(walk))
  const adId = await makeAd(walk, { adsetId, creativeId })
  await tellChanges(walk, { campaignId, adsetId, adId })
  return campaignId
}

interface Made {
  campaignId: string
  adsetId: string
  adId: string
}

/** Tells Meta what it does not know yet. Said twice, it means the same. */
async function tellChanges({ campaign, told, graph, now, save, name, dailyBudget }: Walk, made: Made) {
  const { budget, end_date: endDate, status: wish } = campaign
  const wanted: Told = { isActive: wish === 'active', name: campaign.name, budget, endDate }
  if (wanted.name !== told.name) {
    await save({ step: 'name' })
    await graph.post(made.campaignId, { name })
  }
  if (wanted.budget !== told.budget || wanted.endDate !== told.endDate) {
    await save({ step: 'budget and dates' })
    const { end_time = '0' } = timesOf(campaign.start_date, campaign.end_date, now)
    await graph.post(made.adsetId, { daily_budget: dailyBudget, end_time })
  }
  // It was made paused.
  if (wanted.isActive !== (told.isActive ?? false)) {
    await save({ step: 'status' })
    // An ad runs when all three do; the campaign goes last, and alone it stops everything.
    const status = wanted.isActive ? 'ACTIVE' : 'PAUSED'
    for (const id of wanted.isActive ? [made.adId, made.adsetId] : []) await graph.post(id, { status })
    await graph.post(made.campaignId, { status })
  }
  await save({ told: JSON.stringify(wanted) })
}
