import { CustomQuestion, LeadFormField } from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { z } from 'zod'
import { readAudience } from '../campaigns/campaign.present.ts'
import { questionsOf, timesOf } from './ad.rules.ts'
import { saveMetaCampaign } from './campaign-push.queries.ts'
import { subscribePage } from './meta-page.ts'
import type { PushRun } from './push-run.ts'
import { resolveAudience } from './resolve-audience.ts'
import { pictureOf, uploadImage, uploadVideo } from './upload-ad-media.ts'

// Everything is created paused. A worker activates it.
const paused = { status: 'PAUSED' }

type Targeting = Record<string, unknown>

/**
 * The targeting with Meta's ids; undefined if the ad set already exists. Resolved before anything is created, so that an
 * unknown city leaves nothing behind.
 */
export async function findTargeting({ push, campaign, graph, save }: PushRun): Promise<Targeting | undefined> {
  if (push.adset_id !== null) return undefined
  await save({ step: 'audience' })
  return resolveAudience(graph, readAudience(campaign.target_audience))
}

export const makeCampaign = ({ campaign, db, save, createOnce, accountPath, name, aim }: PushRun) =>
  createOnce({
    step: 'campaign',
    known: campaign.meta_campaign_id,
    edge: `${accountPath}/campaigns`,
    fields: {
      name,
      objective: aim.objective,
      buying_type: 'AUCTION',
      special_ad_categories: '[]',
      is_adset_budget_sharing_enabled: 'false',
      ...paused,
    },
    sets: { name: campaign.name, isActive: false },
    keep: async (id) => {
      await saveMetaCampaign(db, campaign.id, id)
      await save({ begun: null })
    },
  })

export const makeAdSet = (
  { campaign, push, now, save, createOnce, accountPath, name, aim, dailyBudget }: PushRun,
  campaignId: string,
  targeting: Targeting | undefined,
) =>
  createOnce({
    step: 'ad set',
    known: push.adset_id,
    edge: `${accountPath}/adsets`,
    fields: {
      campaign_id: campaignId,
      name,
      daily_budget: dailyBudget,
      billing_event: 'IMPRESSIONS',
      optimization_goal: aim.optimization_goal,
      ...(aim.destination_type && { destination_type: aim.destination_type }),
      ...(aim.promoted_object && { promoted_object: JSON.stringify(aim.promoted_object) }),
      bid_strategy: 'LOWEST_COST_WITHOUT_CAP',
      ...timesOf(campaign.start_date, campaign.end_date, now),
      targeting: JSON.stringify(targeting),
      ...paused,
    },
    sets: { budget: campaign.budget, endDate: campaign.end_date },
    keep: (id) => save({ adset_id: id, begun: null }),
  })

/** The lead form; only lead ads have one. */
export async function makeForm({ campaign, push, page, account, save, createOnce, checkTime, name, hasForm }: PushRun) {
  if (!hasForm) return undefined
  if (push.form_id !== null) return push.form_id
  const questions = questionsOf(
    z.array(LeadFormField).parse(campaign.lead_form_fields),
    z.array(CustomQuestion).parse(campaign.custom_questions),
  )
  checkTime()
  await save({ step: 'form' })
  // Without the subscription, leads from the form would not reach us.
  await subscribePage(page)
  return createOnce({
    step: 'form',
    known: null,
    edge: `${page.id}/leadgen_forms`,
    by: page,
    fields: {
      name,
      locale: 'EN_US',
      questions: JSON.stringify(questions),
      privacy_policy: JSON.stringify({ url: account.privacyUrl, link_text: 'Privacy policy' }),
      follow_up_action_url: account.linkUrl ?? account.privacyUrl ?? '',
    },
    keep: (id) => save({ form_id: id, begun: null }),
  })
}

interface Media {
  imageHash: string | null
  videoId: string | null
}

/** Uploads the first image and the first video. Images are identified by content; videos are uploaded in parts. */
export async function uploadMedia({
  campaign,
  push,
  graph,
  storage,
  save,
  accountPath,
  checkTime,
}: PushRun): Promise<Media> {
  let { image_hash: imageHash, video_id: videoId } = push
  const image = campaign.media.find(({ mime_type }) => mime_type.startsWith('image/'))
  const video = campaign.media.find(({ mime_type }) => mime_type.startsWith('video/'))
  if (image && imageHash === null) {
    checkTime()
    await save({ step: 'image' })
    imageHash = await uploadImage(graph, accountPath, storage, image)
    await save({ image_hash: imageHash })
  }
  if (video && videoId === null) {
    checkTime()
    await save({ step: 'video' })
    const keep = (upload: object) => save({ upload: JSON.stringify(upload) })
    videoId = await uploadVideo(graph, accountPath, storage, video, { begun: push.upload, keep, checkTime })
    await save({ video_id: videoId, upload: null })
  }
  return { imageHash, videoId }
}

/** The content of the ad. */
async function buildStory(
  { campaign, graph, aim }: PushRun,
  formId: string | undefined,
  { imageHash, videoId }: Media,
) {
  const value = formId ? { lead_gen_form_id: formId } : { link: aim.link }
  const call_to_action = { type: aim.callToAction, value }
  const message = campaign.ad_message ?? campaign.name
  const description = campaign.link_description
  const image = imageHash && { image_hash: imageHash }
  if (videoId === null) {
    const words = { link: aim.link, message, ...(description && { description }) }
    return { link_data: { ...words, ...image, call_to_action } }
  }
  const picture = image || { image_url: await pictureOf(graph, videoId) }
  const words = { message, ...(description && { link_description: description }) }
  return { video_data: { video_id: videoId, ...picture, ...words, call_to_action } }
}

export async function makeCreative(run: PushRun, formId: string | undefined, media: Media) {
  const { push, account, save, createOnce, accountPath, name } = run
  // Returns early, because the thumbnail of a video needs a request to Meta.
  if (push.creative_id !== null) return push.creative_id
  const story = { page_id: account.pageId, ...(await buildStory(run, formId, media)) }
  return createOnce({
    step: 'creative',
    known: null,
    edge: `${accountPath}/adcreatives`,
    fields: { name, object_story_spec: JSON.stringify(story) },
    keep: (id) => save({ creative_id: id, begun: null }),
  })
}

export const makeAd = (
  { push, save, createOnce, accountPath, name }: PushRun,
  ids: { adsetId: string; creativeId: string },
) =>
  createOnce({
    step: 'ad',
    known: push.ad_id,
    edge: `${accountPath}/ads`,
    fields: { name, adset_id: ids.adsetId, creative: JSON.stringify({ creative_id: ids.creativeId }), ...paused },
    keep: (id) => save({ ad_id: id, begun: null }),
  })
