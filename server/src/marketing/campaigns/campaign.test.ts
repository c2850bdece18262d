// @module-tag slow
import { assignCampaign, readTeam } from '@limber/contract/growth/team/team.ts'
import {
  editCampaign,
  listAllCampaigns,
  listCampaigns,
  pushCampaign,
  readCampaign,
  readCampaignMedia,
  setCampaignStatus,
} from '@limber/contract/marketing/campaigns/campaign.ts'
import { CampaignPhase } from '@limber/contract/marketing/campaigns/campaign-values.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorker } from '#access/workers/worker.factory.ts'
import { makeMp4 } from '#platform/testing/testing.files.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCampaign, makeLead } from '../leads/lead.factory.ts'
import { create } from './campaign.testing.ts'

let server: TestServer
let maker: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  maker = server.as('growth.tab', 'campaigns.create', 'campaigns.edit')
})
afterAll(() => server.stop())

const paramsOf = (id: number) => ({ params: { id: String(id) } })
const picture = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#2a7' } })
    .png()
    .toBuffer()
const converted = (campaign_id: number) =>
  makeLead(server.db, { campaign_id, passed: [{ status: 'converted', after: 1 }] })
const storedFiles = async () => {
  const keys: string[] = []
  for await (const { key } of server.running.services.storage.list('campaigns/')) keys.push(key)
  return keys
}

describe('GET /api/marketing/campaigns', () => {
  it('lists campaigns with their leads, and counts all of them', async () => {
    const { id } = await makeCampaign(server.db, { name: 'Golfers 100%', budget: '12.5000', status: 'completed' })
    await makeLead(server.db, { campaign_id: id })
    await converted(id)
    const { body } = await maker.send(listCampaigns, { query: { search: 'golfers 100%' } })
    expect(body.campaigns).toMatchObject([
      { id, budget: '12.50', total_leads: 2, conversions: 1, converted_leads: 1, status: 'completed' },
    ])
    expect(body.stats.completed).toBeGreaterThan(0)
    expect(body.stats.total_leads).toBeGreaterThanOrEqual(2)
    expect(body.pagination.totalItems).toBe(1)
  })

  it('filters by status, escapes wildcards, and paginates', async () => {
    const { id } = await makeCampaign(server.db, { name: 'Paused one', status: 'paused' })
    const paused = await maker.send(listCampaigns, { query: { status: 'paused', limit: '100' } })
    expect(paused.body.campaigns.map((one) => one.id)).toContain(id)
    expect(new Set(paused.body.campaigns.map(({ status }) => status))).toEqual(new Set(['paused']))
    const none = await maker.send(listCampaigns, { query: { search: 'P_used' } })
    expect(none.body.campaigns).toEqual([])
    const first = await maker.send(listAllCampaigns, { query: { limit: '1' } })
    expect(first.body).toMatchObject({ campaigns: [{ id }], pagination: { limit: 1 } })
  })

  it('requires the Growth tab', async () => {
    const { status } = await server.as('campaigns.edit').send(listCampaigns)
    expect(status).toBe(403)
  })
})

describe('GET /api/campaigns/{id}', () => {
  it('shows leads per day and costs based on the budget', async () => {
    const { id } = await makeCampaign(server.db, { budget: '10.0000', start_date: '2026-11-15', end_date: null })
    const created_at = new Date('2026-11-16T07:30:00Z')
    await makeLead(server.db, { campaign_id: id, created_at, passed: [{ status: 'converted', after: 1 }] })
    for (let left = 3; left > 0; left -= 1) await makeLead(server.db, { campaign_id: id, created_at })
    const { body } = await maker.send(readCampaign, paramsOf(id))
    // 11:30 PM on the 15th in the company's time zone.
    expect(body.campaign.results).toEqual({
      days: [
        { day: '2026-11-15', leads: 4, conversions: 1 },
        { day: '2026-11-16', leads: 0, conversions: 0 },
      ],
      spent: '20.00',
      cost_per_lead: '5.00',
      cost_per_conversion: '20.00',
    })
  })

  it('shows no costs without a budget or before the start date', async () => {
    const early = await makeCampaign(server.db, { budget: '10.0000', start_date: '2027-01-01' })
    const free = await makeCampaign(server.db, { budget: null })
    const results = async (id: number) => (await maker.send(readCampaign, paramsOf(id))).body.campaign.results
    expect(await results(early.id)).toEqual({ days: [], spent: null, cost_per_lead: null, cost_per_conversion: null })
    expect(await results(free.id)).toMatchObject({ spent: null, cost_per_lead: null })
  })

  it('returns 404 for an unknown campaign', async () => {
    expect((await maker.send(readCampaign, paramsOf(999_999))).status).toBe(404)
  })
})

describe('POST /api/campaigns', () => {
  it('saves all fields and media', async () => {
    const image = { name: 'media0', filename: 'winter.png', content: await picture() }
    const video = { name: 'media1', filename: 'winter.mp4', content: makeMp4({ bytes: 500 }) }
    const { status, body } = await create(maker, {}, [image, video])
    expect(status).toBe(200)
    expect(body.campaign).toMatchObject({ name: 'Winter stretch', budget: '25.50', status: 'scheduled' })
    const { campaign } = (await maker.send(readCampaign, paramsOf(body.campaign.id))).body
    expect(campaign).toMatchObject({
      ad_message: 'Looser by spring.',
      goals: [{ type: 'Leads', target: 80 }],
      tagged_entities: ['@limberstretch'],
      lead_form_fields: ['full_name', 'email', 'phone_number'],
      custom_questions: [{ question: 'When works best for you?', options: ['Mornings', 'Evenings'] }],
      media: [
        { filename: 'winter.png', mimeType: 'image/png' },
        { filename: 'winter.mp4', mimeType: 'video/mp4' },
      ],
      push: { state: 'not_connected', metaCampaignId: null },
    })
    const name = campaign.media[0]?.url.split('/').at(-1) ?? ''
    const file = await maker.send(readCampaignMedia, { params: { name } })
    expect(file.status).toBe(200)
    expect((await server.as('analytics.view').send(readCampaignMedia, { params: { name } })).status).toBe(403)
  })

  const audience = (over: object) => ({
    target_audience: JSON.stringify({ geo_locations: { countries: ['US'] }, age_min: 18, age_max: 65, ...over }),
  })
  const nowhere = { geo_locations: { countries: [] } }
  const notJson = { custom_questions: '[{' }
  // Each row also breaks the rules that are checked later: only the first fault is reported.
  it.each([
    ['an age below 13', { ...audience({ age_min: 12, ...nowhere }), ...notJson }, 'Invalid age range (13-65)'],
    ['an age above 65', { ...audience({ age_max: 66, ...nowhere }), ...notJson }, 'Invalid age range (13-65)'],
    [
      'a minimum age above the maximum',
      { ...audience({ age_min: 40, age_max: 30 }), ...notJson },
      'Invalid age range (13-65)',
    ],
    ['no country', { ...audience(nowhere), ...notJson }, 'Select at least one country'],
    ['no region', { ...audience({ geo_locations: { regions: [] } }), ...notJson }, 'Enter at least one region'],
    ['no city', { ...audience({ geo_locations: { cities: [] } }), ...notJson }, 'Enter at least one city'],
    [
      'no name',
      { ...audience({ geo_locations: { cities: [{ name: '', radius: 5 }] } }), ...notJson },
      'Enter a city and radius',
    ],
    [
      'no radius',
      { ...audience({ geo_locations: { cities: [{ name: 'Corona', radius: null }] } }) },
      'Enter a city and radius',
    ],
    [
      'a radius below 1',
      { ...audience({ geo_locations: { cities: [{ name: 'Corona', radius: 0.5 }] } }) },
      'Enter a city and radius',
    ],
  ])('rejects %s first', async (_what, over, words) => {
    const { status, body } = await create(maker, over)
    expect({ status, body }).toMatchObject({ status: 422, body: { error: words, message: words } })
  })

  it('returns the parser error for questions that are not JSON', async () => {
    const { status, body } = await create(maker, notJson)
    expect(status).toBe(422)
    expect((body as unknown as { error: string }).error).toMatch(/^Invalid custom_questions JSON: .+JSON/)
  })

  it.each([
    ['no name', { name: undefined }, 400],
    ['no source', { source: '' }, 400],
    ['no start date', { start_date: undefined }, 400],
    ['an unknown source', { source: 'radio' }, 400],
    ['an impossible date', { start_date: '2026-02-30' }, 400],
    ['an end before the start', { end_date: '2026-11-19' }, 422],
    ['three decimals', { budget: '1.005' }, 400],
    ['a negative budget', { budget: '-5' }, 400],
    ['an unknown field', { color: 'red' }, 400],
    ['a tag without @', { tagged_entities: '["limber"]' }, 400],
    ['a goal without a target', { goals: '[{"type":"Leads"}]' }, 400],
    ['an unknown form field', { lead_form_fields: '["shoe_size"]' }, 400],
    ['goals that are not JSON', { goals: '[' }, 400],
    ['questions of 5 MB', { custom_questions: `["${'x'.repeat(5_000_000)}"]` }, 413],
    ['questions nested 10,000 levels deep', { custom_questions: '['.repeat(10_000) + ']'.repeat(10_000) }, 400],
    ['sixteen questions', { custom_questions: JSON.stringify(Array(16).fill({ question: 'Why?' })) }, 400],
  ])('rejects %s', async (_what, over, expected) => {
    const { status } = await create(maker, over)
    expect(status).toBe(expected)
  })

  it.each([
    ['a repeated key', { goals: '[{"type":"Leads","target":8,"target":80}]' }, 'The key "target" appears twice.'],
    [
      'a repeated key in questions',
      { custom_questions: '[{"question":"Why?","question":"When?"}]' },
      /"question" appears/,
    ],
    ['a list nested 65 levels deep', { goals: '['.repeat(65) + ']'.repeat(65) }, 'goals is nested too deeply.'],
    [
      'questions nested 65 levels deep',
      { custom_questions: '['.repeat(65) + ']'.repeat(65) },
      /custom_questions is nested/,
    ],
    ['a prototype key', { target_audience: '{"__proto__":{}}' }, /"__proto__" is not allowed/],
    ['a NUL character', { goals: '[{"type":"Leads\\u0000","target":8}]' }, /goals contains a NUL/],
    [
      'a number beyond safe integers',
      { goals: '[{"type":"Leads","target":90071992547409931}]' },
      /in goals is too large/,
    ],
  ])('parses JSON fields as strictly as a body: %s', async (_what, over, words) => {
    const { status, body } = await create(maker, over)
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: typeof words === 'string' ? words : expect.stringMatching(words) },
    })
  })

  it('rejects unsupported files, and stores none of them', async () => {
    const before = (await storedFiles()).length
    const good = { name: 'media0', filename: 'a.png', content: await picture() }
    const svg = { name: 'media1', filename: 'a.png', content: '<svg xmlns="http://www.w3.org/2000/svg"/>' }
    expect((await create(maker, {}, [good, svg])).status).toBe(415)
    const gif = { name: 'media1', filename: 'a.gif', content: Buffer.from('R0lGODlhAQABAAAAACw=', 'base64') }
    expect((await create(maker, {}, [good, gif])).status).toBe(415)
    const many = Array.from({ length: 501 }, (_, at) => ({ ...good, name: `media${at}` }))
    expect((await create(maker, {}, many)).status).toBe(413)
    expect((await create(maker, {}, [{ ...good, name: 'picture' }])).status).toBe(400)
    // If the form is rejected, its files are deleted too.
    expect((await create(maker, { name: '' }, [good])).status).toBe(400)
    expect((await storedFiles()).length).toBe(before)
  })

  it('counts media toward the daily 5 GB limit, and still accepts forms without media', async () => {
    const busy = server.as('growth.tab', 'campaigns.create')
    const { id } = await busy.worker()
    const sent_at = server.clock.now()
    const content = await picture()
    const bytes = 5 * 1024 ** 3 - content.length
    await server.db.insertInto('worker_uploads').values({ worker_id: id, bytes, sent_at }).execute()
    const media = [{ name: 'media0', filename: 'a.png', content }]
    expect((await create(busy, {}, media)).status).toBe(200)
    const before = (await storedFiles()).length
    const video = [{ name: 'media0', filename: 'a.mp4', content: makeMp4({ bytes: 1_100_000 }) }]
    for (const more of [media, video]) {
      const { status, failure } = await create(busy, {}, more)
      expect([status, failure.code]).toEqual([429, 'quota'])
    }
    expect((await storedFiles()).length).toBe(before)
    expect((await create(busy)).status).toBe(200)
  })

  it('drops ad fields for other sources', async () => {
    const { body } = await create(maker, { source: 'email' })
    const { campaign } = (await maker.send(readCampaign, paramsOf(body.campaign.id))).body
    expect(campaign).toMatchObject({
      link_description: null,
      meta_ad_objective: null,
      tagged_entities: [],
      lead_form_fields: [],
      custom_questions: [],
      push: { state: 'local' },
    })
  })

  it('requires the permission to create campaigns, and writes an audit row', async () => {
    expect((await create(server.as('growth.tab', 'campaigns.edit'))).status).toBe(403)
    const { body } = await create(maker, { name: 'Audited' })
    const rows = await server.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', 'campaign')
      .where('subject_id', '=', String(body.campaign.id))
      .execute()
    expect(rows).toEqual([{ action: 'campaign_created' }])
  })
})

describe('a campaign with a future start date', () => {
  const list = async (status: CampaignPhase) =>
    (await maker.send(listCampaigns, { query: { status, limit: '100' } })).body
  const phases = async (id: number) => {
    const found = await Promise.all(CampaignPhase.options.map(list))
    const { campaign } = (await maker.send(readCampaign, paramsOf(id))).body
    const { body: all } = await maker.send(listAllCampaigns, { query: { limit: '100' } })
    // The active count matches the filtered list.
    for (const { stats } of found) expect(stats.active).toBe(found[0]?.pagination.totalItems)
    const listed = CampaignPhase.options.filter((_, at) => found[at]?.campaigns.some((one) => one.id === id))
    return [...listed, campaign.status, all.campaigns.find((one) => one.id === id)?.status]
  }

  it('is scheduled until that day starts in the company’s time zone, in lists, filters and counts', async () => {
    const now = server.clock.now()
    const { id } = await makeCampaign(server.db, { name: 'Ahead', start_date: '2026-11-20' })
    const member = await makeWorker(server.db, { role: 'Marketing' })
    await server.as('growth.tab').send(assignCampaign, { ...paramsOf(id), body: { workerId: member.id } })
    const roster = async () => (await maker.send(readTeam)).body.team.find((one) => one.id === member.id)?.campaigns
    expect(await phases(id)).toEqual(['scheduled', 'scheduled', 'scheduled'])
    expect(await roster()).toEqual([])
    const set = async (status: 'active' | 'paused') =>
      (await maker.send(setCampaignStatus, { ...paramsOf(id), body: { status } })).body.campaign.status
    expect(await set('paused')).toBe('paused')
    expect(await phases(id)).toEqual(['paused', 'paused', 'paused'])
    expect(await set('active')).toBe('scheduled')
    // Midnight in California is 08:00 UTC.
    for (const [at, phase] of [
      ['2026-11-20T07:59:59Z', 'scheduled'],
      ['2026-11-20T08:00:00Z', 'active'],
    ] as const) {
      server.clock.set(at)
      maker = server.as('growth.tab', 'campaigns.create', 'campaigns.edit')
      expect(await phases(id)).toEqual([phase, phase, phase])
    }
    expect(await roster()).toEqual([{ id, name: 'Ahead' }])
    server.clock.set(now.toISOString())
    maker = server.as('growth.tab', 'campaigns.create', 'campaigns.edit')
  })

  it('reports whether Meta is connected, and is not sent if it is not', async () => {
    expect((await maker.send(listCampaigns)).body.isMetaConnected).toBe(false)
    const { body } = await create(maker)
    expect(body).toMatchObject({ campaign: { status: 'scheduled', push: { state: 'not_connected' } } })
  })
})

describe('PATCH /api/marketing/campaigns/{id}/status', () => {
  it('sets any status and updates the counts', async () => {
    const { id } = await makeCampaign(server.db)
    const set = (status: 'active' | 'paused' | 'completed') =>
      maker.send(setCampaignStatus, { ...paramsOf(id), body: { status } })
    const done = await set('completed')
    expect(done.body.campaign).toMatchObject({ id, status: 'completed', version: 2 })
    const back = await set('active')
    expect(back.body.stats.active).toBe(done.body.stats.active + 1)
  })

  it('rejects a stale version with the current campaign, and requires the permission to edit', async () => {
    const { id } = await makeCampaign(server.db)
    const body = { status: 'paused' as const, version: 1 }
    await maker.send(setCampaignStatus, { ...paramsOf(id), body })
    const stale = await maker.send(setCampaignStatus, { ...paramsOf(id), body: { ...body, status: 'completed' } })
    expect(stale).toMatchObject({ status: 409, body: { current: { status: 'paused', version: 2 } } })
    const closed = await server
      .as('growth.tab')
      .send(setCampaignStatus, { ...paramsOf(id), body: { status: 'active' } })
    expect(closed.status).toBe(403)
    expect((await maker.send(setCampaignStatus, { ...paramsOf(999_999), body: { status: 'active' } })).status).toBe(404)
  })
})

describe('PATCH /api/campaigns/{id}', () => {
  const edit = (id: number, body: object) => maker.send(editCampaign, { ...paramsOf(id), body })

  it('changes only the given fields', async () => {
    const { id } = await makeCampaign(server.db, { notes: 'Keep me', ad_message: 'Old' })
    const { body } = await edit(id, {
      name: 'Renamed',
      ad_message: '',
      goals: [{ type: 'Custom', custom: 'Fame' }],
      version: 1,
    })
    expect(body.campaign).toMatchObject({
      name: 'Renamed',
      ad_message: null,
      notes: 'Keep me',
      goals: [{ type: 'Custom', custom: 'Fame' }],
      version: 2,
    })
    // Equal values do not change the version.
    expect((await edit(id, { name: 'Renamed', budget: '25' })).body.campaign.version).toBe(2)
  })

  it('drops ad fields for other sources, and form fields for other objectives', async () => {
    const { body } = await create(maker)
    const { id } = body.campaign
    const traffic = await edit(id, { meta_ad_objective: 'TRAFFIC' })
    expect(traffic.body.campaign).toMatchObject({
      link_description: 'At your place',
      lead_form_fields: [],
      custom_questions: [],
    })
    const asked = { lead_form_fields: ['email'] }
    expect((await edit(id, asked)).body.campaign.lead_form_fields).toEqual([])
    const mail = await edit(id, { source: 'email', ...asked })
    expect(mail.body.campaign).toMatchObject({
      link_description: null,
      meta_ad_objective: null,
      tagged_entities: [],
      lead_form_fields: [],
      custom_questions: [],
    })
    expect((await edit(id, { tagged_entities: ['@limberstretch'] })).body.campaign.tagged_entities).toEqual([])
    const ad = await edit(id, { source: 'facebook_lead_ad' })
    expect(ad.body.campaign).toMatchObject({
      meta_ad_objective: 'LEAD_GENERATION',
      lead_form_fields: ['full_name', 'email'],
    })
  })

  it('locks all ad fields of a Meta campaign that was not created here', async () => {
    const { id } = await makeCampaign(server.db, { source: 'facebook_lead_ad', meta_campaign_id: '1200099' })
    const { locked } = (await maker.send(readCampaign, paramsOf(id))).body.campaign
    expect(locked).toHaveLength(8)
    expect((await edit(id, { ad_message: 'Another message' })).status).toBe(409)
  })

  it('rejects a stale version, a bad audience, an end before the start, and missing permission', async () => {
    const { id } = await makeCampaign(server.db, { start_date: '2026-11-01' })
    expect(await edit(id, { name: 'Mine', version: 7 })).toMatchObject({ status: 409, body: { current: { id } } })
    const young = await edit(id, { target_audience: { age_min: 12 } })
    expect(young).toMatchObject({ status: 422, body: { error: 'Invalid age range (13-65)' } })
    expect((await edit(id, { end_date: '2026-10-31' })).status).toBe(422)
    expect((await edit(id, { color: 'red' })).status).toBe(400)
    expect((await edit(999_999, { name: 'Nobody' })).status).toBe(404)
    const stranger = server.as('growth.tab', 'campaigns.create')
    expect((await stranger.send(editCampaign, { ...paramsOf(id), body: { name: 'Mine' } })).status).toBe(403)
  })
})

describe('a repeated request with the same idempotency key', () => {
  it('creates one campaign, and stores its media once', async () => {
    const files = [{ name: 'media0', filename: 'once.png', content: await picture() }]
    const send = (name: string) => create(maker, { name }, files, { 'idempotency-key': 'campaign-once' })
    const first = await send('Made once')
    const kept = await storedFiles()
    const again = await send('Made once')
    expect([again.text, again.headers.get('idempotent-replay')]).toEqual([first.text, 'true'])
    expect(await send('Another')).toMatchObject({ status: 422, failure: { code: 'key_reused' } })
    expect(await storedFiles()).toEqual(kept)
    const { body } = await maker.send(listCampaigns, { query: { search: 'Made once' } })
    expect(body.campaigns).toHaveLength(1)
  })
})

describe('POST /api/campaigns/{id}/push', () => {
  it('rejects the push if Meta is not connected', async () => {
    const { id } = await makeCampaign(server.db)
    expect(await maker.send(pushCampaign, paramsOf(id))).toMatchObject({
      status: 503,
      body: { error: 'Meta is not connected. Set up an ad account first.' },
    })
    const mail = await makeCampaign(server.db, { source: 'email' })
    expect((await maker.send(pushCampaign, paramsOf(mail.id))).status).toBe(422)
  })
})
