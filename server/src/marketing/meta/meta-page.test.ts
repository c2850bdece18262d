import { pushCampaign as askPush } from '@limber/contract/marketing/campaigns/campaign.ts'
import { checkHealth } from '@limber/contract/tech/health/health.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { fixedClock, MINUTE } from '#platform/clock.ts'
import { startTestServer, TEST_NOW } from '#platform/testing/testing.ts'
import { openPushes } from './campaign-push.testing.ts'
import { openPage, subscribePage, subscribeToLeads } from './meta-page.ts'

const { graph, maker, made, make, paramsOf, server, until } = await openPushes()
afterAll(() => server.stop())
const PAGE = `/v26.0/${graph.adEnv.META_PAGE_ID}`
const TOKEN = 'page-token-of-this-test'
beforeEach(() => {
  graph.page.token = TOKEN
  graph.asked.length = 0
  graph.ads.made.length = 0
  graph.ads.faults.clear()
  graph.ads.announced.clear()
})

const adsCheck = async () => {
  const { body } = await server.as('health.view').send(checkHealth, { body: {} })
  return body.checks.find(({ name }) => name === 'ads')
}

describe('the form of a lead ad', () => {
  it('is created by the page after the subscription to its leads', async () => {
    await until(await make(), 'done')
    expect(made('leadgen_forms')).toHaveLength(1)
    expect([...graph.ads.announced]).toEqual(['leadgen'])
    const ofPage = graph.asked.filter((path) => path.startsWith(`${PAGE}/`))
    expect(ofPage).toEqual([`${PAGE}/subscribed_apps`, `${PAGE}/leadgen_forms`])
  })

  it('is not created if the subscription fails', async () => {
    graph.ads.faults.set('subscribed_apps', ['refuse'])
    const id = await make()
    const { push } = await until(id, 'failed')
    expect(push).toMatchObject({ step: 'form', error: 'Your ad account is not allowed to do this. (100)' })
    expect(made('leadgen_forms')).toEqual([])
    await maker.send(askPush, paramsOf(id))
    await until(id, 'done')
  })

  it('is only created for lead ads', async () => {
    await until(await make({ meta_ad_objective: 'TRAFFIC' }), 'done')
    expect(graph.asked.filter((path) => path.startsWith(PAGE))).toEqual([])
  })
})

describe('the token of the page', () => {
  it('is fetched once an hour', async () => {
    const clock = fixedClock(TEST_NOW)
    const { meta } = server.running.services.config
    if (!meta?.ads) throw new Error('No page is set up.')
    const page = openPage({ ...meta }, meta.ads.pageId, clock)
    for (const wait of [0, 59 * MINUTE, 2 * MINUTE]) {
      clock.advance(wait)
      await subscribePage(page)
      await subscribePage(page)
    }
    expect(graph.asked.filter((path) => path === PAGE)).toHaveLength(2)
  })

  it('is not stored', async () => {
    await until(await make(), 'done')
    const pushes = await server.db.selectFrom('campaign_pushes').selectAll().execute()
    const deliveries = await server.db.selectFrom('outbox').select(['last_error', 'about', 'outside_id']).execute()
    expect(JSON.stringify([pushes, deliveries])).not.toContain(TOKEN)
  })

  it('is fetched again when Meta rejects it', async () => {
    await until(await make(), 'done')
    graph.page.token = 'another-token-of-the-page'
    await until(await make(), 'done')
    expect(made('leadgen_forms')).toHaveLength(2)
  })

  it('shows an error if the account has no role on the page', async () => {
    graph.page.token = undefined
    const id = await make()
    expect((await until(id, 'failed')).push.error).toMatch(/has no access to the page 153125381133/)
    graph.page.token = TOKEN
    await maker.send(askPush, paramsOf(id))
    await until(id, 'done')
  })
})

describe('the page', () => {
  it('is subscribed on a schedule too, for forms created on Meta', async () => {
    expect(await adsCheck()).toMatchObject({ status: 'warning', summary: expect.stringContaining('every hour') })
    expect(await subscribeToLeads(server.running.services)).toEqual({ subscribed: true })
    expect([...graph.ads.announced]).toEqual(['leadgen'])
    expect(await adsCheck()).toMatchObject({ status: 'ok' })
  })

  it('shows in System health why its leads do not arrive', async () => {
    graph.page.token = undefined
    expect(await adsCheck()).toMatchObject({
      status: 'warning',
      summary: expect.stringContaining('has no access to the page'),
    })
  })

  it('is not requested if none is set up', async () => {
    const bare = await startTestServer({ env: graph.env })
    try {
      expect(await subscribeToLeads(bare.running.services)).toEqual({ subscribed: false })
      expect(graph.asked).toEqual([])
    } finally {
      await bare.stop()
    }
  })
})
