import { paginate } from '@limber/contract/kit/page.ts'
import {
  editCampaign,
  listAllCampaigns,
  listCampaigns,
  lockableLabels,
  pushCampaign,
  readCampaign,
  readCampaignMedia,
  setCampaignStatus,
} from '@limber/contract/marketing/campaigns/campaign.ts'
import { audienceFault } from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { containing } from '#platform/db/like.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { sendFile } from '#platform/http/send-file.ts'
import { findCreatedParts } from '../meta/campaign-push.queries.ts'
import { requestPush } from '../meta/push-campaign.ts'
import { presentCampaign } from './campaign.present.ts'
import {
  changeCampaign,
  countCampaigns,
  findCampaigns,
  findMedia,
  lockCampaign,
  readCampaignStats,
} from './campaign.queries.ts'
import { changesOf, fitToSource, lockedOf } from './campaign-change.rules.ts'
import { mediaKey } from './campaign-media.ts'
import { environmentOf, isConnected, showCampaign, showWithStats } from './show-campaign.ts'

const about = (id: number) => ({ subject: 'campaign', subjectId: id }) as const

export const campaignRoutes = [
  serve(listCampaigns, async ({ query: { page, limit, status, search }, db, now, services }) => {
    const environment = environmentOf(services.config, now)
    const filter = { status, today: environment.today, pattern: search === '' ? undefined : containing(search) }
    const stats = await readCampaignStats(db, environment.today)
    const total = await countCampaigns(db, filter)
    const rows = await findCampaigns(db, filter, limit, (page - 1) * limit)
    return {
      campaigns: rows.map((row) => presentCampaign(row, environment)),
      stats,
      pagination: paginate(page, limit, total),
      isMetaConnected: environment.isConnected,
    }
  }),

  serve(listAllCampaigns, async ({ query: { page, limit }, db, now, services }) => {
    const environment = environmentOf(services.config, now)
    const filter = { status: '', today: environment.today, pattern: undefined } as const
    const total = await countCampaigns(db, filter)
    const rows = await findCampaigns(db, filter, limit, (page - 1) * limit)
    return {
      campaigns: rows.map((row) => presentCampaign(row, environment)),
      pagination: paginate(page, limit, total),
    }
  }),

  serve(readCampaign, async ({ params: { id }, db, now, services }) => {
    const campaign = await showCampaign(db, services.config, id, now)
    if (!campaign) throw refuse(readCampaign, 'not_found')
    return { campaign }
  }),

  serve(setCampaignStatus, async (context) => {
    const { params, body, db, now, audit, publish, services } = context
    const { id } = params
    const { status, version } = body
    const show = () => showWithStats(db, services.config, id, now)
    const before = await loadForUpdate(
      setCampaignStatus,
      lockCampaign(db, id),
      version,
      async () => (await show()).campaign,
    )
    if (before.status !== status) {
      await changeCampaign(db, id, { status }, now)
      audit({ action: 'campaign_status', ...about(id), before: { status: before.status }, after: { status } })
      publish('campaigns', { campaign: id })
      const isOut = before.meta_campaign_id !== null || (await findCreatedParts(db, id)) !== undefined
      if (isOut && before.source === 'facebook_lead_ad') await requestPush(context, id, before.name)
    }
    return show()
  }),

  serve(pushCampaign, async (context) => {
    const { params, db, now, audit, publish, services } = context
    const { id } = params
    const campaign = await lockCampaign(db, id)
    if (!campaign) throw refuse(pushCampaign, 'not_found')
    if (campaign.source !== 'facebook_lead_ad') throw refuse(pushCampaign, 'not_an_ad')
    if (!isConnected(services.config)) throw refuse(pushCampaign, 'not_connected')
    await requestPush(context, id, campaign.name)
    audit({ action: 'campaign_push_asked', ...about(id) })
    publish('campaigns', { campaign: id })
    return showWithStats(db, services.config, id, now)
  }),

  serve(editCampaign, async (context) => {
    const { params, body, db, now, audit, publish, services } = context
    const { id } = params
    const { version, ...fields } = body
    const show = async () => {
      const campaign = await showCampaign(db, services.config, id, now)
      if (!campaign) throw new Error(`Campaign ${id} is gone.`)
      return campaign
    }
    const before = await loadForUpdate(editCampaign, lockCampaign(db, id), version, show)
    const fault = fields.target_audience && audienceFault(fields.target_audience)
    if (fault) throw refuse(editCampaign, fault)
    const { change, was } = changesOf(fitToSource(before, fields), before)
    if (Object.keys(change).length === 0) return { campaign: await show() }
    const end = change.end_date === undefined ? before.end_date : change.end_date
    if (end !== null && end < (change.start_date ?? before.start_date)) throw refuse(editCampaign, 'end_before_start')
    const made = await findCreatedParts(db, id)
    const locked = lockedOf(before.meta_campaign_id, made).find((name) => name in change)
    if (locked) throw refuse(editCampaign, 'at_meta', { values: { what: lockableLabels[locked] } })
    const isAd = (change.source ?? before.source) === 'facebook_lead_ad'
    const isNewAd = isAd && change.source !== undefined && isConnected(services.config)
    const paused = isNewAd && before.status === 'active' ? ({ status: 'paused' } as const) : {}
    await changeCampaign(db, id, { ...change, ...paused }, now)
    audit({ action: 'campaign_edited', ...about(id), before: was, after: { ...change, ...paused } })
    publish('campaigns', { campaign: id })
    if (isNewAd || (isAd && (made || before.meta_campaign_id !== null)))
      await requestPush(context, id, change.name ?? before.name)
    return { campaign: await show() }
  }),

  serve(readCampaignMedia, async ({ params, request, reply, services: { db, storage } }) => {
    const row = await findMedia(db, params.name)
    return sendFile({
      file: row && { key: mediaKey(row.name), filename: row.filename, mime: row.mime_type, bytes: row.bytes },
      storage,
      isDownload: false,
      request,
      reply,
      refusal: (code) => refuse(readCampaignMedia, code),
    })
  }),
]
