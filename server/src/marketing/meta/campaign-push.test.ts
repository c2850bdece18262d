// @module-tag slow
import {
  pushCampaign as askPush,
  editCampaign,
  setCampaignStatus,
} from '@limber/contract/marketing/campaigns/campaign.ts'
import { checkHealth } from '@limber/contract/tech/health/health.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE, shift, systemClock } from '#platform/clock.ts'
import { makeMp4 } from '#platform/testing/testing.files.ts'
import { eventually } from '#platform/testing/testing.ts'
import { goodForm } from '../campaigns/campaign.testing.ts'
import type { AdFault, AdStep } from './ads.testing.ts'
import { openPushes } from './campaign-push.testing.ts'
import { pushCampaign } from './push-campaign.ts'

const { graph, maker, counts, deliveryOf, json, made, make, paramsOf, read, server, until } = await openPushes()
afterAll(() => server.stop())
beforeEach(() => {
  graph.ads.made.length = 0
  graph.ads.faults.clear()
})

describe('pushing a lead ad to Meta', () => {
  it('creates each object once, paused, with ids instead of names and cents instead of dollars', async () => {
    const id = await make()
    const { push, status } = await until(id, 'done')
    expect(status).toBe('paused')
    const [campaign] = made('campaigns')
    expect(push).toMatchObject({ error: null, metaCampaignId: campaign?.id })
    expect(campaign?.fields).toMatchObject({
      objective: 'OUTCOME_LEADS',
      status: 'PAUSED',
      special_ad_categories: '[]',
    })
    const [adset] = made('adsets')
    expect(adset?.fields).toMatchObject({
      campaign_id: campaign?.id,
      daily_budget: '2550',
      optimization_goal: 'LEAD_GENERATION',
      destination_type: 'ON_AD',
      start_time: '2026-11-20T08:00:00.000Z',
      end_time: '2026-12-21T08:00:00.000Z',
    })
    expect(json(adset?.fields.targeting)).toEqual({
      geo_locations: { cities: [{ key: '2420379' }], location_types: ['home', 'recent'] },
      age_min: 25,
      age_max: 60,
      genders: [2],
      locales: [1001],
      flexible_spec: [{ interests: [{ id: '6003306084421', name: 'Stretching' }] }],
      targeting_automation: { advantage_audience: 0 },
    })
    const [form] = made('leadgen_forms')
    expect(json(form?.fields.questions)).toEqual([
      { type: 'FULL_NAME' },
      { type: 'EMAIL' },
      { type: 'PHONE' },
      {
        type: 'CUSTOM',
        key: 'question_1',
        label: 'When works best for you?',
        options: [
          { value: 'Mornings', key: 'option_1' },
          { value: 'Evenings', key: 'option_2' },
        ],
      },
    ])
    const [creative] = made('adcreatives')
    expect(json(creative?.fields.object_story_spec)).toEqual({
      page_id: '153125381133',
      link_data: {
        link: 'http://fb.me/',
        message: 'Looser by spring.',
        description: 'At your place',
        image_hash: 'a1b2c3',
        call_to_action: { type: 'SIGN_UP', value: { lead_gen_form_id: form?.id } },
      },
    })
    expect(made('ads').map(({ fields }) => fields.adset_id)).toEqual([adset?.id])
    expect(await deliveryOf(id)).toMatchObject({ state: 'sent', outside_id: campaign?.id })
  })

  it('converts countries, regions and radiuses to Meta formats', async () => {
    const target = (geo_locations: object) => ({ target_audience: JSON.stringify({ geo_locations }) })
    const geo = async (over: object) => {
      await until(await make(target(over)), 'done')
      return json(made('adsets').at(-1)?.fields.targeting).geo_locations
    }
    expect(await geo({ countries: ['UK', 'US'] })).toMatchObject({ countries: ['GB', 'US'] })
    expect(await geo({ regions: [{ name: 'california', country: 'US' }] })).toMatchObject({
      regions: [{ key: '3847' }],
    })
    expect(await geo({ cities: [{ name: 'London', country: 'UK', radius: 25 }] })).toMatchObject({
      cities: [{ key: '9001', radius: 25, distance_unit: 'mile' }],
    })
    expect(await geo({ cities: [{ name: 'Redlands', country: 'US', radius: 3 }] })).toMatchObject({
      custom_locations: [{ address_string: 'Redlands, US', radius: 3, distance_unit: 'mile' }],
    })
  })

  it('uploads a video in parts', async () => {
    const video = { name: 'media0', filename: 'winter.mp4', content: makeMp4({ bytes: 1_500 }) }
    graph.ads.faults.set('advideos', ['busy'])
    await until(await make({}, [video]), 'done')
    const [uploaded] = made('advideos')
    expect(made('advideos')).toHaveLength(1)
    expect(uploaded?.fields.got).toBe(uploaded?.fields.size)
    expect(json(made('adcreatives')[0]?.fields.object_story_spec)).toMatchObject({
      video_data: { video_id: uploaded?.id, image_url: 'https://cdn.example/p.jpg' },
    })
  })

  it('waits until Meta has processed a video', async () => {
    graph.ads.processing.rounds = 15
    const video = { name: 'media0', filename: 'winter.mp4', content: makeMp4({ bytes: 1_500 }) }
    await until(await make({}, [video]), 'done')
    expect(graph.ads.processing.rounds).toBe(0)
    expect(made('ads')).toHaveLength(1)
  })
})

const steps: AdStep[] = [
  'search',
  'campaigns',
  'adsets',
  'subscribed_apps',
  'leadgen_forms',
  'adimages',
  'adcreatives',
  'ads',
]

describe('creates exactly one campaign', () => {
  it.each(steps)('when %s is busy, limited, dropped and cut off', async (step) => {
    graph.ads.faults.set(step, ['busy', 'limit', 'drop', 'cut'] satisfies AdFault[])
    const id = await make()
    await until(id, 'done')
    expect(graph.ads.faults.get(step)).toEqual([])
    expect(counts()).toEqual([1, 1, 1, 1, 1])
  })

  it('when the reply of every step is lost', async () => {
    for (const step of steps) graph.ads.faults.set(step, ['cut'])
    await until(await make(), 'done')
    expect(counts()).toEqual([1, 1, 1, 1, 1])
  })

  it.each(['campaigns', 'adsets', 'ads'] as const)('when %s is created but Meta never replies', async (step) => {
    const id = await make({ budget: undefined })
    await until(id, 'failed')
    await server.db.updateTable('campaigns').set({ budget: '25.0000' }).where('id', '=', id).execute()
    graph.ads.faults.set(step, ['slow'])
    const impatient = () => pushCampaign(server.running.services, id, 400)
    await expect(impatient()).rejects.toThrow('Meta did not respond in time.')
    expect(await read(id)).toMatchObject({ push: { state: 'failed' } })
    await impatient()
    expect(counts()).toEqual([1, 1, 1, 1, 1])
  })

  it.each(steps)('when Meta rejects %s: shows the error, and a retry continues from there', async (step) => {
    graph.ads.faults.set(step, ['refuse'])
    const id = await make()
    const failed = await until(id, 'failed')
    expect(failed.push.error).toBe('Your ad account is not allowed to do this. (100)')
    expect(failed.push.step).not.toBeNull()
    expect(await deliveryOf(id)).toMatchObject({ state: 'dead', tries: 1 })
    const asked = await maker.send(askPush, paramsOf(id))
    expect(asked.body.campaign.push.state).toBe('waiting')
    await until(id, 'done')
    expect(counts()).toEqual([1, 1, 1, 1, 1])
    // The failed message was reused, so there is still one delivery.
    const dead = await server.db.selectFrom('outbox').select('id').where('key', 'like', `campaign:${id}:%`).execute()
    expect(dead).toHaveLength(1)
  })

  it('after the wait that Meta asks for', async () => {
    graph.ads.faults.set('campaigns', ['limit'])
    const id = await make()
    const delivery = await eventually(async () => {
      const found = await deliveryOf(id)
      return found?.last_error ? found : undefined
    })
    expect(delivery.next_try_at.getTime() - server.clock.now().getTime()).toBe(7 * MINUTE)
    expect((await read(id)).push).toMatchObject({ state: 'retrying', step: 'campaign' })
    await until(id, 'done')
  })

  it('when the process dies after creating a campaign and before saving its id', async () => {
    graph.ads.faults.set('campaigns', ['refuse'])
    const id = await make()
    await until(id, 'failed')
    const { mark } = await server.db
      .selectFrom('campaign_pushes')
      .select('mark')
      .where('campaign_id', '=', id)
      .executeTakeFirstOrThrow()
    graph.ads.made.push({ id: '120099', kind: 'campaigns', fields: { name: `Winter stretch [${mark}]` } })
    const dead = {
      begun: 'campaign',
      lease: 'the dead one',
      leased_until: shift(systemClock.now(), MINUTE),
    }
    await server.db.updateTable('campaign_pushes').set(dead).where('campaign_id', '=', id).execute()
    // The lease is still valid, so other processes are refused.
    await expect(pushCampaign(server.running.services, id)).rejects.toThrow('Another process')
    await server.db
      .updateTable('campaign_pushes')
      .set({ leased_until: systemClock.now() })
      .where('campaign_id', '=', id)
      .execute()
    await pushCampaign(server.running.services, id)
    expect((await read(id)).push.metaCampaignId).toBe('120099')
    expect(counts()).toEqual([1, 1, 1, 1, 1])
  })

  it('when two processes push it at once', async () => {
    graph.ads.faults.set('search', ['refuse'])
    const id = await make()
    await until(id, 'failed')
    const both = await Promise.allSettled([1, 2].map(() => pushCampaign(server.running.services, id)))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(counts()).toEqual([1, 1, 1, 1, 1])
  })
})

describe('shows an error that staff can fix', () => {
  it.each([
    [
      'a city that Meta does not know',
      { target_audience: JSON.stringify({ geo_locations: { cities: [{ name: 'Nowhere' }] } }) },
      /does not know the city “Nowhere” in US/,
    ],
    [
      'a radius above 50 miles',
      { target_audience: JSON.stringify({ geo_locations: { cities: [{ name: 'Riverside', radius: 60 }] } }) },
      /at most 50 miles/,
    ],
    ['no budget', { budget: undefined }, /requires a daily budget/],
    ['a budget that is too low', { budget: '0.50' }, /Your budget is too low/],
    ['an objective that lacks its setting', { meta_ad_objective: 'CONVERSIONS' }, /META_PIXEL_ID/],
  ])('%s', async (_what, over, words) => {
    const failed = await until(await make(over), 'failed')
    expect(failed.push.error).toMatch(words)
  })

  it('in System health too', async () => {
    graph.ads.faults.set('campaigns', ['token'])
    await until(await make(), 'failed')
    const { body } = await server.as('health.view').send(checkHealth, { body: {} })
    const ads = JSON.stringify(body)
    expect(ads).toMatch(/\d+ campaigns? failed to send/)
  })
})

describe('a campaign on Meta', () => {
  it('is activated and paused there too', async () => {
    const id = await make()
    await until(id, 'done')
    const set = (status: 'active' | 'completed') => maker.send(setCampaignStatus, { ...paramsOf(id), body: { status } })
    const statuses = () => [made('campaigns'), made('adsets'), made('ads')].map(([one]) => one?.fields.status)
    expect((await set('active')).body.campaign.push.state).toBe('waiting')
    graph.ads.faults.set('change', ['busy'])
    await until(id, 'done')
    expect(statuses()).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE'])
    await set('completed')
    await until(id, 'done')
    expect(statuses()[0]).toBe('PAUSED')
  })

  it('updates name, budget and end date, and rejects changes of the ad itself', async () => {
    const id = await make()
    await until(id, 'done')
    const edit = (body: object) => maker.send(editCampaign, { ...paramsOf(id), body })
    expect(await edit({ ad_message: 'Another message' })).toMatchObject({
      status: 409,
      body: {
        error: 'This campaign is already on Meta, so its message can no longer change. Create a new campaign instead.',
      },
    })
    await edit({ name: 'Renamed', budget: '30', end_date: '2026-12-24', ad_message: goodForm.ad_message })
    await until(id, 'done')
    expect(made('campaigns')[0]?.fields.name).toMatch(/^Renamed \[limber-/)
    expect(made('adsets')[0]?.fields).toMatchObject({ daily_budget: '3000', end_time: '2026-12-25T08:00:00.000Z' })
  })
})
