import { CustomQuestion, LeadFormField } from '@limber/contract/marketing/campaign-values.ts'
import { z } from 'zod'
import { SECOND, stopwatch } from '#platform/clock.ts'
import type { Db } from '#platform/db.ts'
import { NotYet } from '#platform/outbox.ts'
import type { Storage } from '#platform/storage.ts'
import { type AdAccount, aimOf, centsOf, MissingSetting, markedName, questionsOf, timesOf } from './ad.rules.ts'
import { readAudience } from './campaign.present.ts'
import type { CampaignDetailRow } from './campaign.queries.ts'
import { type Push, type PushChange, saveMetaCampaign } from './campaign-push.queries.ts'
import { findMarked, idOf } from './find-marked.ts'
import { type Graph, MetaFailure } from './meta-graph.ts'
import { resolveAudience } from './resolve-audience.ts'
import type { Told } from './tables.ts'
import { pictureOf, uploadImage, uploadVideo } from './upload-ad-media.ts'

export interface Pushing {
  campaign: CampaignDetailRow
  push: Push
  graph: Graph
  account: AdAccount
  db: Db
  storage: Storage
  now: Date
  /** Writes how far it came, at once; throws when the campaign is no longer ours to push. */
  save: (change: PushChange) => Promise<void>
}

// Well below the two minutes for which a campaign is ours: what is left goes on with the next try.
const PATIENCE = 60 * SECOND

/** Walks the steps of an ad, each once; then tells Meta what changed since. Answers the number of the campaign there. */
export async function walkPush(pushing: Pushing): Promise<string> {
  const { campaign, push, graph, account, db, storage, now, save } = pushing
  const elapsed = stopwatch()
  const act = `act_${account.accountId}`
  const name = markedName(campaign.name, push.mark)
  const aim = aimOf(campaign.meta_ad_objective ?? 'LEAD_GENERATION', account)
  const paused = { status: 'PAUSED' }
  const pause = () => {
    if (elapsed() > PATIENCE) throw new NotYet('There is more to bring to Meta; it goes on.', SECOND)
  }

  /** Makes something at Meta once: its number is kept at once, and whoever lost the answer looks before making another. */
  async function once(
    step: string,
    known: string | null,
    edge: string,
    make: Record<string, string>,
    keep: (id: string) => Promise<unknown>,
  ): Promise<string> {
    if (known !== null) return known
    pause()
    let id = push.begun === step ? await findMarked(graph, edge, push.mark) : undefined
    if (id === undefined) {
      await save({ step, begun: step })
      id = idOf(await graph.post(edge, make))
    }
    await keep(id)
    return id
  }

  if (campaign.budget === null || Number(campaign.budget) === 0)
    throw new MetaFailure('rejected', 'Meta needs a daily budget. Edit the campaign and set one.')
  const daily_budget = centsOf(campaign.budget)
  const hasForm = aim.destination_type === 'ON_AD'
  if (hasForm && !account.privacyUrl)
    throw new MissingSetting(
      'Forms of lead ads need the setting META_PRIVACY_URL. Ask whoever runs the server to set it.',
    )

  let targeting = push.targeting
  if (targeting === null) {
    await save({ step: 'audience' })
    targeting = await resolveAudience(graph, readAudience(campaign.target_audience))
    await save({ targeting: JSON.stringify(targeting) })
  }

  const campaignId = await once(
    'campaign',
    campaign.meta_campaign_id,
    `${act}/campaigns`,
    {
      name,
      objective: aim.objective,
      buying_type: 'AUCTION',
      special_ad_categories: '[]',
      is_adset_budget_sharing_enabled: 'false',
      ...paused,
    },
    async (id) => {
      await saveMetaCampaign(db, campaign.id, id)
      await save({ begun: null })
    },
  )

  const adsetId = await once(
    'ad set',
    push.adset_id,
    `${act}/adsets`,
    {
      campaign_id: campaignId,
      name,
      daily_budget,
      billing_event: 'IMPRESSIONS',
      optimization_goal: aim.optimization_goal,
      ...(aim.destination_type && { destination_type: aim.destination_type }),
      ...(aim.promoted_object && { promoted_object: JSON.stringify(aim.promoted_object) }),
      bid_strategy: 'LOWEST_COST_WITHOUT_CAP',
      ...timesOf(campaign.start_date, campaign.end_date, now),
      targeting: JSON.stringify(targeting),
      ...paused,
    },
    (id) => save({ adset_id: id, begun: null }),
  )

  const formId = hasForm
    ? await once(
        'form',
        push.form_id,
        `${account.pageId}/leadgen_forms`,
        {
          name,
          locale: 'EN_US',
          questions: JSON.stringify(
            questionsOf(
              z.array(LeadFormField).parse(campaign.lead_form_fields),
              z.array(CustomQuestion).parse(campaign.custom_questions),
            ),
          ),
          privacy_policy: JSON.stringify({ url: account.privacyUrl, link_text: 'Privacy policy' }),
          follow_up_action_url: account.linkUrl ?? account.privacyUrl ?? '',
        },
        (id) => save({ form_id: id, begun: null }),
      )
    : undefined

  const image = campaign.media.find(({ mime_type }) => mime_type.startsWith('image/'))
  const film = campaign.media.find(({ mime_type }) => mime_type.startsWith('video/'))
  let imageHash = push.image_hash
  if (image && imageHash === null) {
    pause()
    await save({ step: 'picture' })
    imageHash = await uploadImage(graph, act, storage, image)
    await save({ image_hash: imageHash })
  }
  let videoId = push.video_id
  if (film && videoId === null) {
    pause()
    await save({ step: 'film' })
    const keep = (upload: object) => save({ upload: JSON.stringify(upload) })
    videoId = await uploadVideo(graph, act, storage, film, { begun: push.upload, keep, pause })
    await save({ video_id: videoId, upload: null })
  }

  const value = formId ? { lead_gen_form_id: formId } : { link: aim.link }
  const call_to_action = { type: aim.callToAction, value }
  const message = campaign.ad_message ?? campaign.name
  const description = campaign.link_description
  const story = async () => {
    if (videoId === null)
      return {
        link_data: {
          link: aim.link,
          message,
          ...(description && { description }),
          ...(imageHash && { image_hash: imageHash }),
          call_to_action,
        },
      }
    const picture = imageHash ? { image_hash: imageHash } : { image_url: await pictureOf(graph, videoId) }
    const words = { message, ...(description && { link_description: description }) }
    return { video_data: { video_id: videoId, ...picture, ...words, call_to_action } }
  }
  const creativeId =
    push.creative_id ??
    (await once(
      'creative',
      null,
      `${act}/adcreatives`,
      { name, object_story_spec: JSON.stringify({ page_id: account.pageId, ...(await story()) }) },
      (id) => save({ creative_id: id, begun: null }),
    ))

  const adId = await once(
    'ad',
    push.ad_id,
    `${act}/ads`,
    { name, adset_id: adsetId, creative: JSON.stringify({ creative_id: creativeId }), ...paused },
    (id) => save({ ad_id: id, begun: null, told: JSON.stringify(toldOf(campaign, false)) }),
  )

  await tellChanges(pushing, { campaignId, adsetId, adId, name, daily_budget })
  return campaignId
}

const toldOf = ({ name, budget, end_date }: CampaignDetailRow, isActive: boolean): Told => ({
  isActive,
  name,
  budget,
  endDate: end_date,
})

interface Made {
  campaignId: string
  adsetId: string
  adId: string
  name: string
  daily_budget: string
}

/** Tells Meta what it does not know yet. Said twice, it means the same. */
async function tellChanges({ campaign, push, graph, now, save }: Pushing, made: Made) {
  const told = push.told ?? toldOf(campaign, false)
  const wanted = toldOf(campaign, campaign.status === 'active')
  if (wanted.name !== told.name) {
    await save({ step: 'name' })
    await graph.post(made.campaignId, { name: made.name })
  }
  if (wanted.budget !== told.budget || wanted.endDate !== told.endDate) {
    await save({ step: 'budget and dates' })
    const { end_time = '0' } = timesOf(campaign.start_date, campaign.end_date, now)
    await graph.post(made.adsetId, { daily_budget: made.daily_budget, end_time })
  }
  if (wanted.isActive !== told.isActive) {
    await save({ step: 'status' })
    // An ad runs when all three do; the campaign goes last, and alone it stops everything.
    const status = wanted.isActive ? 'ACTIVE' : 'PAUSED'
    for (const id of wanted.isActive ? [made.adId, made.adsetId] : []) await graph.post(id, { status })
    await graph.post(made.campaignId, { status })
  }
  await save({ told: JSON.stringify(wanted) })
}
