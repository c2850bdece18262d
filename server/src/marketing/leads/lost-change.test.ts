// @module-tag slow
import { editCampaign, setCampaignStatus } from '@limber/contract/marketing/campaigns/campaign.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { eventually } from '#platform/testing/testing.ts'
import { openPushes } from '../meta/campaign-push.testing.ts'
import { pushCampaign } from '../meta/push-campaign.ts'

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
/** Ad and ad set are switched on before the campaign. */
const lostAtCampaign = ['well', 'well', 'cut'] as const

describe('a change whose answer was lost, taken back before it was said again', () => {
  it.each(['paused', 'completed'] as const)('does not go on spending: %s reaches Meta', async (status) => {
    const id = await makeDone()
    graph.ads.faults.set('change', [...lostAtCampaign])
    await set(id, 'active')
    await until(id, 'retrying')
    expect(fieldsOf('campaigns').status).toBe('ACTIVE')
    await set(id, status)
    await until(id, 'done')
    expect(fieldsOf('campaigns').status).toBe('PAUSED')
  })

  it('runs again when a stop was lost', async () => {
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
  ])('is said again: the %s', async (_what, there, back, at, [lost, wanted]) => {
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

describe('a process that dies while Meta is told something', () => {
  /** Changes a campaign, and ends the process that tells Meta once Meta has done it and has not answered. */
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

  it('leaves it to the next one to stop what may run', async () => {
    const id = await makeDone()
    const isOn = () => fieldsOf('campaigns').status === 'ACTIVE'
    const { dead } = await dieOver(id, { status: 'active' }, ['well', 'well', 'slow'], isOn)
    await set(id, 'paused')
    await until(id, 'done')
    expect(fieldsOf('campaigns').status).toBe('PAUSED')
    await expect(dead).rejects.toThrow()
    expect((await read(id)).push.state).toBe('done')
  })

  it('leaves it to the next one to lower what may be too much', async () => {
    const id = await makeDone({ budget: '30' })
    const isMore = () => fieldsOf('adsets').daily_budget === '30000'
    const { dead } = await dieOver(id, { budget: '300' }, ['slow'], isMore)
    await edit(id, { budget: '30' })
    await until(id, 'done')
    expect(fieldsOf('adsets').daily_budget).toBe('3000')
    await expect(dead).rejects.toThrow()
  })
})

describe('what Meta knows', () => {
  it('is not said again', async () => {
    const id = await makeDone()
    Object.assign(fieldsOf('adsets'), { daily_budget: 'untouched', end_time: 'untouched' })
    Object.assign(fieldsOf('campaigns'), { status: 'untouched' })
    await edit(id, { name: 'Renamed' })
    await until(id, 'done')
    expect(fieldsOf('adsets')).toMatchObject({ daily_budget: 'untouched', end_time: 'untouched' })
    expect(fieldsOf('campaigns').status).toBe('untouched')
    expect(fieldsOf('campaigns').name).toMatch(/^Renamed/)
  })

  it('is said again where nobody kept whether Meta answered', async () => {
    const id = await makeDone()
    await server.db.updateTable('campaign_pushes').set({ told: '{}' }).where('campaign_id', '=', id).execute()
    Object.assign(fieldsOf('campaigns'), { status: 'ACTIVE' })
    await edit(id, { name: 'Renamed' })
    await until(id, 'done')
    expect(fieldsOf('campaigns').status).toBe('PAUSED')
  })
})

it('an ad is stopped first, whatever else is wrong with it', async () => {
  const id = await makeDone()
  await set(id, 'active')
  await until(id, 'done')
  await edit(id, { budget: null })
  expect((await until(id, 'failed')).push.error).toMatch(/needs a daily budget/)
  await set(id, 'paused')
  await until(id, 'failed')
  expect(fieldsOf('campaigns').status).toBe('PAUSED')
})
