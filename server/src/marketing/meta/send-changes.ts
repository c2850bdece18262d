import { timesOf } from './ad.rules.ts'
import type { KnownValues } from './campaign-push.queries.ts'
import type { PushContext, PushRun } from './push-run.ts'

/**
 * Sends an update to Meta. The values count as unknown until the reply arrives, and this is saved first: after a lost
 * reply the next attempt sends them again, even if they have changed back. Updates are idempotent.
 */
async function sendUpdate(
  { told, begin, save, checkTime }: PushContext,
  step: string,
  values: Partial<KnownValues>,
  send: () => Promise<unknown>,
) {
  checkTime()
  for (const name of Object.keys(values) as (keyof KnownValues)[]) delete told[name]
  await begin({ step, told: JSON.stringify(told) })
  await send()
  Object.assign(told, values)
  await save({ told: JSON.stringify(told) })
}

/** Pauses a campaign on Meta. Runs first, so that no other fault can keep an ad running. */
export async function pauseOnMeta(context: PushContext) {
  const { campaign, told, graph } = context
  const { meta_campaign_id: campaignId, status } = campaign
  if (campaignId === null || status === 'active' || told.isActive === false) return
  // Pausing the campaign pauses everything in it.
  await sendUpdate(context, 'status', { isActive: false }, () => graph.post(campaignId, { status: 'PAUSED' }))
}

interface CreatedIds {
  campaignId: string
  adsetId: string
  adId: string
}

/** Sends all values that Meta may not have yet. */
export async function sendChanges(run: PushRun, { campaignId, adsetId, adId }: CreatedIds) {
  const { campaign, told, graph, now, name, dailyBudget } = run
  const { budget, start_date: startDate, end_date: endDate } = campaign
  if (told.budget !== budget)
    await sendUpdate(run, 'budget', { budget }, () => graph.post(adsetId, { daily_budget: dailyBudget }))
  if (told.endDate !== endDate) {
    const { end_time = '0' } = timesOf(startDate, endDate, now)
    await sendUpdate(run, 'end date', { endDate }, () => graph.post(adsetId, { end_time }))
  }
  if (told.name !== campaign.name)
    await sendUpdate(run, 'name', { name: campaign.name }, () => graph.post(campaignId, { name }))
  if (campaign.status === 'active' && told.isActive !== true)
    await sendUpdate(run, 'status', { isActive: true }, async () => {
      // An ad runs only if all three are active; the campaign is activated last.
      for (const id of [adId, adsetId, campaignId]) await graph.post(id, { status: 'ACTIVE' })
    })
}
