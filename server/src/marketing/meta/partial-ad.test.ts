import {
  type EditCampaign,
  editCampaign,
  pushCampaign,
  setCampaignStatus,
} from '@limber/contract/marketing/campaigns/campaign.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '#platform/testing/testing.ts'
import type { AdStep } from './ads.testing.ts'
import { openPushes } from './campaign-push.testing.ts'

const { graph, maker, counts, deliveryOf, json, made, make, paramsOf, read, server, until } = await openPushes()
afterAll(() => server.stop())
beforeEach(() => {
  graph.ads.made.length = 0
  graph.ads.faults.clear()
  graph.ads.meanwhile.clear()
})

const edit = async (id: number, body: object) =>
  expect((await maker.send(editCampaign, { ...paramsOf(id), body })).status).toBe(200)

/** Creates a campaign and runs `happens` while Meta handles that step. */
const makeWhile = async (step: AdStep, happens: (id: number) => Promise<unknown>) => {
  const known = Promise.withResolvers<number>()
  graph.ads.meanwhile.set(step, async () => happens(await known.promise))
  const id = await make()
  known.resolve(id)
  return id
}

describe('an edit of a partly created ad', () => {
  const other = { name: 'Spring stretch', budget: '50', end_date: '2026-12-24' }
  const isOther = () => {
    expect(made('campaigns')[0]?.fields.name).toMatch(/^Spring stretch \[limber-/)
    expect(made('adsets')[0]?.fields).toMatchObject({ daily_budget: '5000', end_time: '2026-12-25T08:00:00.000Z' })
    expect(counts()).toEqual([1, 1, 1, 1, 1])
  }

  it('updates name, budget and end date of existing objects', async () => {
    graph.ads.faults.set('leadgen_forms', ['refuse'])
    const id = await make({ budget: '500' })
    await until(id, 'failed')
    expect(made('adsets')[0]?.fields.daily_budget).toBe('50000')
    await edit(id, other)
    await until(id, 'done')
    isOther()
  })

  it('updates objects whose creation reply was lost', async () => {
    graph.ads.faults.set('adsets', ['cut'])
    const id = await make({ budget: '500' })
    await until(id, 'retrying')
    expect(made('adsets')).toHaveLength(1)
    await edit(id, other)
    await until(id, 'done')
    isOther()
  })

  it('changes the audience of a later ad set', async () => {
    graph.ads.faults.set('campaigns', ['refuse'])
    const id = await make()
    await until(id, 'failed')
    await edit(id, { target_audience: { geo_locations: { cities: [{ name: 'Redlands' }] }, age_min: 30 } })
    await maker.send(pushCampaign, paramsOf(id))
    await until(id, 'done')
    expect(json(made('adsets')[0]?.fields.targeting)).toMatchObject({
      geo_locations: { cities: [{ key: '2420380' }] },
      age_min: 30,
    })
  })
})

describe('an ad that Meta rejected partway', () => {
  const audience = { target_audience: { geo_locations: { countries: ['US'] } } }
  const wrongs: Record<'campaigns' | 'adsets' | 'leadgen_forms' | 'adcreatives', EditCampaign> = {
    campaigns: { meta_ad_objective: 'TRAFFIC' },
    adsets: { ...audience, start_date: '2026-11-25' },
    leadgen_forms: { lead_form_fields: ['email'], custom_questions: [] },
    adcreatives: { ad_message: 'Another message', link_description: 'Elsewhere' },
  }
  const steps = Object.keys(wrongs) as (keyof typeof wrongs)[]

  it.each(steps)('can be corrected at %s, and locks what was created before', async (step) => {
    graph.ads.faults.set(step, ['refuse'])
    const id = await make()
    const { locked } = await until(id, 'failed')
    const before = steps.slice(0, steps.indexOf(step)).flatMap((one) => Object.keys(wrongs[one]))
    for (const one of steps.slice(0, steps.indexOf(step))) {
      const { status, body } = await maker.send(editCampaign, { ...paramsOf(id), body: wrongs[one] })
      expect({ status, body }).toMatchObject({
        status: 409,
        body: { error: expect.stringMatching(/is already on Meta, so its/) },
      })
    }
    for (const name of Object.keys(wrongs[step])) expect(locked).not.toContain(name)
    await edit(id, wrongs[step])
    await until(id, 'done')
    expect(before.filter((name) => !(locked as string[]).includes(name))).toEqual([])
  })

  it('locks objects that may exist because a reply was lost', async () => {
    graph.ads.faults.set('adsets', ['cut'])
    const id = await make()
    const { locked } = await until(id, 'retrying')
    expect(locked).toContain('target_audience')
    expect(locked).not.toContain('ad_message')
    expect((await maker.send(editCampaign, { ...paramsOf(id), body: audience })).status).toBe(409)
    await until(id, 'done')
  })
})

describe('a change while an ad is being created', () => {
  const set = (id: number, status: 'active' | 'paused') =>
    maker.send(setCampaignStatus, { ...paramsOf(id), body: { status } })
  const statuses = () => [made('campaigns'), made('adsets'), made('ads')].map(([one]) => one?.fields.status)

  it.each(['search', 'campaigns', 'ads'] as const)('sends a status set during %s to Meta', async (step) => {
    const id = await makeWhile(step, (one) => set(one, 'active'))
    await until(id, 'done')
    expect(graph.ads.meanwhile.size).toBe(0)
    expect(statuses()).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE'])
    expect(counts()).toEqual([1, 1, 1, 1, 1])
  })

  it('uses the values that the campaign has when an object is created', async () => {
    const id = await makeWhile('search', (one) => edit(one, { ad_message: 'Another message', budget: '70' }))
    await until(id, 'done')
    expect(made('adsets')[0]?.fields.daily_budget).toBe('7000')
    expect(made('adcreatives')[0]?.fields.object_story_spec).toContain('Another message')
    expect(counts()).toEqual([1, 1, 1, 1, 1])
  })
})

describe('a campaign whose source changes', () => {
  it('is not sent to Meta if it is no longer an ad', async () => {
    const id = await makeWhile('search', (one) => edit(one, { source: 'email' }))
    await eventually(async () => (await deliveryOf(id))?.state === 'sent')
    expect(counts()).toEqual([0, 0, 0, 0, 0])
    expect((await read(id)).push.state).toBe('local')
  })

  it('is sent to Meta paused when it becomes an ad', async () => {
    const id = await make({ source: 'email' })
    expect(await read(id)).toMatchObject({ status: 'scheduled', push: { state: 'local' } })
    await edit(id, { source: 'facebook_lead_ad' })
    expect(await until(id, 'done')).toMatchObject({ status: 'paused' })
    expect(counts()).toEqual([1, 1, 1, 1, 1])
    expect(made('campaigns')[0]?.fields.status).toBe('PAUSED')
  })
})
