import { bringMedia, findTargeting, makeAd, makeAdSet, makeCampaign, makeCreative, makeForm } from './ad-steps.ts'
import { beginWalk, type Pushing } from './ad-walk.ts'
import { tellChanges, tellStop } from './tell-changes.ts'

/** Creates all objects of an ad that do not exist yet, then sends changes. Returns the Meta campaign id. */
export async function walkPush(pushing: Pushing): Promise<string> {
  await tellStop(pushing)
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
