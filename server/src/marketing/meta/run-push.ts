import { findTargeting, makeAd, makeAdSet, makeCampaign, makeCreative, makeForm, uploadMedia } from './ad-steps.ts'
import { type PushContext, startRun } from './push-run.ts'
import { pauseOnMeta, sendChanges } from './send-changes.ts'

/** Creates all objects of an ad that do not exist yet, then sends changes. Returns the Meta campaign id. */
export async function runPush(context: PushContext): Promise<string> {
  await pauseOnMeta(context)
  const run = startRun(context)
  const targeting = await findTargeting(run)
  const campaignId = await makeCampaign(run)
  const adsetId = await makeAdSet(run, campaignId, targeting)
  const formId = await makeForm(run)
  const creativeId = await makeCreative(run, formId, await uploadMedia(run))
  const adId = await makeAd(run, { adsetId, creativeId })
  await sendChanges(run, { campaignId, adsetId, adId })
  return campaignId
}
