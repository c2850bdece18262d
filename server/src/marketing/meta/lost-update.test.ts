// @module-tag slow
import { editCampaign, setCampaignStatus } from '@limber/contract/marketing/campaigns/campaign.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { eventually } from '#platform/testing/testing.ts'
import { openPushes } from './campaign-push.testing.ts'
import { pushCampaign } from './push-campaign.ts'

const { graph, maker, made, make, paramsOf, read, server, until } = await openPushes()
afterAll(() => server.stop())
beforeEach(() => {
  graph.ads.made.length = 0
  graph.ads.faults.clear()
})

const edit = async (id: number, body: object) =>
  expect((await maker.send(editCampaign, { ...paramsOf(id), body })).status).toBe(200)
const set = async (id: number, status: 'active' | 'paused' | 'completed') =>
  expect((await maker.send(setCampaignStatus, { ...paramsOf(id), body: { status } })).status).toBe(200)
const makeDone = async (over: Record<string, string> = {}) => {
  const id = await make(over)
  await until(id, 'done')
  return id
}
const fieldsOf = (kind: 'campaigns' | 'adsets') => made(kind)[0]?.fields ?? {}
/** The ad and the ad set are activated before the campaign. */
const lostAtCampaign = ['well', 'well', 'cut'] as const

describe('a change with a lost reply that is reverted before the retry', () => {
  it.each(['paused', 'completed'] as const)('stops the spending: %s reaches Meta', async (status) => {
    const id = await makeDone()
    graph.ads.faults.set('change', [...lostAtCampaign])
    await set(id, 'active')
    await until(id, 'retrying')
    expect(fieldsOf('campaigns').status).toBe('ACTIVE')
    await set(id, status)
    await until(id, 'done')
    expect(fieldsOf('campaigns').status).toBe('PAUSED')
  })

  it('activates the campaign again after a lost pause', async () => {
    const id = await makeDone()
    await set(id, 'active')
    await until(id, 'done')
    graph.ads.faults.set('change', ['cut'])
    await set(id, 'paused')
    await until(id, 'retrying')
    expect(fieldsOf('campaigns').status).toBe('PAUSED')
    await set(id, 'active')
    await until(id, 'done')
    expect(fieldsOf('campaigns').status).toBe('ACTIVE')
  })

  it.each([
    ['budget', { budget: '300' }, { budget: '30' }, () => fieldsOf('adsets').daily_budget, ['30000', '3000']],
    [
      'end date',
      { end_date: '2027-03-01' },
      { end_date: '2026-12-20' },
      () => fieldsOf('adsets').end_time,
      ['2027-03-02T08:00:00.000Z', '2026-12-21T08:00:00.000Z'],
    ],
    [
      'name',
      { name: 'Spring stretch' },
      { name: 'Winter stretch' },
      () => fieldsOf('campaigns').name?.replace(/ \[.*/, ''),
      ['Spring stretch', 'Winter stretch'],
    ],
  ])('sends the %s again', async (_what, there, back, at, [lost, wanted]) => {
    const id = await makeDone({ budget: '30' })
    graph.ads.faults.set('change', ['cut'])
    await edit(id, there)
    await until(id, 'retrying')
    expect(at()).toBe(lost)
    await edit(id, back)
    await until(id, 'done')
    expect(at()).toBe(wanted)
  })
})

describe('a process that dies during an update', () => {
  /** Changes a campaign, and ends the lease after Meta applied the change and before it replied. */
  const dieOver = async (
    id: number,
    change: { status: 'active' } | { budget: string },
    faults: ('well' | 'slow')[],
    isThere: () => boolean,
  ) => {
    await server.db.updateTable('campaigns').set(change).where('id', '=', id).execute()
    graph.ads.faults.set('change', faults)
    const dead = pushCampaign(server.running.services, id, 2_000)
    dead.catch(() => {})
    await eventually(async () => isThere())
    await server.db
      .updateTable('campaign_pushes')
      .set({ leased_until: systemClock.now() })
      .where('campaign_id', '=', id)
      .execute()
    return { dead }
  }

  it('lets the next process pause an ad that may be running', async () => {
    const id = await makeDone()
    const isOn = () => fieldsOf('campaigns').status === 'ACTIVE'
    const { dead } = await dieOver(id, { status: 'active' }, ['well', 'well', 'slow'], isOn)
    await set(id, 'paused')
    await until(id, 'done')
    expect(fieldsOf('campaigns').status).toBe('PAUSED')
    await expect(dead).rejects.toThrow()
    expect((await read(id)).push.state).toBe('done')
  })

  it('lets the next process lower a budget that may be too high', async () => {
    const id = await makeDone({ budget: '30' })
    const isMore = () => fieldsOf('adsets').daily_budget === '30000'
    const { dead } = await dieOver(id, { budget: '300' }, ['slow'], isMore)
    await edit(id, { budget: '30' })
    await until(id, 'done')
    expect(fieldsOf('adsets').daily_budget).toBe('3000')
    await expect(dead).rejects.toThrow()
  })
})

describe('values that Meta already has', () => {
  it('are not sent again', async () => {
    const id = await makeDone()
    Object.assign(fieldsOf('adsets'), { daily_budget: 'untouched', end_time: 'untouched' })
    Object.assign(fieldsOf('campaigns'), { status: 'untouched' })
    await edit(id, { name: 'Renamed' })
    await until(id, 'done')
    expect(fieldsOf('adsets')).toMatchObject({ daily_budget: 'untouched', end_time: 'untouched' })
    expect(fieldsOf('campaigns').status).toBe('untouched')
    expect(fieldsOf('campaigns').name).toMatch(/^Renamed/)
  })

  it('are sent again if the confirmation is missing', async () => {
    const id = await makeDone()
    await server.db.updateTable('campaign_pushes').set({ told: '{}' }).where('campaign_id', '=', id).execute()
    Object.assign(fieldsOf('campaigns'), { status: 'ACTIVE' })
    await edit(id, { name: 'Renamed' })
    await until(id, 'done')
    expect(fieldsOf('campaigns').status).toBe('PAUSED')
  })
})

it('pauses an ad before anything else can fail', async () => {
  const id = await makeDone()
  await set(id, 'active')
  await until(id, 'done')
  await edit(id, { budget: null })
  expect((await until(id, 'failed')).push.error).toMatch(/requires a daily budget/)
  await set(id, 'paused')
  await until(id, 'failed')
  expect(fieldsOf('campaigns').status).toBe('PAUSED')
})
