import { editCampaign, pushCampaign } from '@limber/contract/marketing/campaign.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openPushes } from './campaign-push.testing.ts'

const { graph, maker, counts, json, made, make, paramsOf, server, until } = await openPushes()
afterAll(() => server.stop())
beforeEach(() => {
  graph.ads.made.length = 0
  graph.ads.faults.clear()
})

describe('what is edited while an ad is half made', () => {
  const edit = async (id: number, body: object) =>
    expect((await maker.send(editCampaign, { ...paramsOf(id), body })).status).toBe(200)
  const other = { name: 'Spring stretch', budget: '50', end_date: '2026-12-24' }
  const isOther = () => {
    expect(made('campaigns')[0]?.fields.name).toMatch(/^Spring stretch \[limber-/)
    expect(made('adsets')[0]?.fields).toMatchObject({ daily_budget: '5000', end_time: '2026-12-25T08:00:00.000Z' })
    expect(counts()).toEqual([1, 1, 1, 1, 1])
  }

  it('reaches what is there already: name, budget and end date', async () => {
    graph.ads.faults.set('leadgen_forms', ['refuse'])
    const id = await make({ budget: '500' })
    await until(id, 'failed')
    expect(made('adsets')[0]?.fields.daily_budget).toBe('50000')
    await edit(id, other)
    await until(id, 'done')
    isOther()
  })

  it('reaches what was made and never answered', async () => {
    graph.ads.faults.set('adsets', ['cut'])
    const id = await make({ budget: '500' })
    await until(id, 'retrying')
    expect(made('adsets')).toHaveLength(1)
    await edit(id, other)
    await until(id, 'done')
    isOther()
  })

  it('is the audience that the ad set gets', async () => {
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
