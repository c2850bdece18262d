// @module-tag slow
import { readLead } from '@limber/contract/marketing/leads/lead.ts'
import { mergeLeads } from '@limber/contract/marketing/leads/lead-merge.ts'
import { receiveMetaLeads, verifyMetaHook } from '@limber/contract/marketing/meta/meta.ts'
import { checkHealth } from '@limber/contract/tech/health/health.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE, shift, systemClock } from '#platform/clock.ts'
import { eventually, startTestServer, TEST_NOW, type TestServer } from '#platform/testing/testing.ts'
import { makeCampaign } from '../leads/lead.factory.ts'
import { fetchDueLeads, fetchMetaLead } from './fetch-meta-lead.ts'
import { announce, type FormField, sign, startTestGraph, type TestGraph, VERIFY_TOKEN } from './meta.testing.ts'

let graph: TestGraph
let server: TestServer
beforeAll(async () => {
  graph = await startTestGraph()
  server = await startTestServer({ env: graph.env })
})
afterAll(async () => {
  await server.stop()
  await graph.close()
})
beforeEach(() => {
  graph.asked.length = 0
  graph.faults.length = 0
})

let last = 0
// Beyond safe integers: as floats, consecutive ids would be equal.
const nextId = () => `90071992547410${String(++last).padStart(4, '0')}`
const person: FormField[] = [
  { name: 'full_name', values: ['Sam van der Berg'] },
  { name: 'email', values: ['SAM@Example.com'] },
  { name: 'phone_number', values: ['+19515550111'] },
  { name: 'preferred_time', values: ['Mornings', 'Saturday'] },
]
const offer = (fields = person, more: object = {}) => {
  const id = nextId()
  graph.leads.set(id, { fields, createdTime: '2026-11-16T16:40:00+0000', ...more })
  return id
}
const deliver = (rawBody: string | Buffer, headers: Record<string, string | undefined> = {}) =>
  server.anonymous().send(
    receiveMetaLeads,
    {},
    {
      rawBody,
      headers: {
        origin: undefined,
        'content-type': 'application/json',
        'x-hub-signature-256': sign(String(rawBody)),
        ...headers,
      },
    },
  )
const fetchNow = (id: string) => fetchMetaLead(server.running.services, id)
const stateOf = (id: string) =>
  server.db.selectFrom('meta_leadgens').selectAll().where('leadgen_id', '=', id).executeTakeFirst()
const leadsOf = (id: string) => server.db.selectFrom('leads').selectAll().where('leadgen_id', '=', id).execute()
const inboundOf = (key: string) =>
  server.db
    .selectFrom('inbound_events')
    .selectAll()
    .where('kind', '=', 'lead')
    .where('key', '=', key)
    .executeTakeFirst()

describe('GET /api/hooks/meta/leads', () => {
  const verify = (token: string, more: object = {}) =>
    server.anonymous().send(verifyMetaHook, {
      query: { 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '1158201444', ...more } as never,
    })
  it('returns the challenge as plain text', async () => {
    const reply = await verify(VERIFY_TOKEN)
    expect([reply.status, reply.text]).toEqual([200, '1158201444'])
    expect(reply.headers.get('content-type')).toMatch('text/plain')
  })
  it('rejects a wrong token, another mode and a challenge with markup', async () => {
    expect((await verify('wrong')).status).toBe(403)
    expect((await verify(VERIFY_TOKEN, { 'hub.mode': 'unsubscribe' })).status).toBe(400)
    expect((await verify(VERIFY_TOKEN, { 'hub.challenge': '<script>' })).status).toBe(400)
  })
})

describe('POST /api/hooks/meta/leads', () => {
  it('accepts a signed notification, records it once, and fetches each lead once', async () => {
    const campaign = await makeCampaign(server.db, { meta_campaign_id: '23850000000000001' })
    const [one, two] = [offer(person, { campaignId: '23850000000000001' }), offer()]
    const body = announce(one, two, one)
    for (let times = 0; times < 3; times++) {
      const reply = await deliver(body)
      expect([reply.status, reply.body]).toEqual([200, { success: true, received: 2 }])
    }
    expect(await inboundOf(one)).toMatchObject({ is_signed: true, status: 'received', times: 3 })
    const outbox = await server.db.selectFrom('outbox').select('key').where('key', 'like', 'meta-lead:%').execute()
    expect(outbox.map(({ key }) => key).sort()).toEqual([`meta-lead:${one}`, `meta-lead:${two}`])
    expect(await Promise.all([fetchNow(one), fetchNow(one), fetchNow(one)])).toContain('done')
    const [lead, ...more] = await leadsOf(one)
    expect(more).toEqual([])
    expect(lead).toMatchObject({
      first_name: 'Sam',
      last_name: 'van der Berg',
      email: 'sam@example.com',
      phone: '+19515550111',
      source: 'facebook_lead_ad',
      campaign_id: campaign.id,
      status: 'new',
      created_at: new Date('2026-11-16T16:40:00Z'),
      answers: [{ name: 'preferred_time', value: 'Mornings, Saturday' }],
    })
    expect(await inboundOf(one)).toMatchObject({ status: 'done', error: null })
    expect(await stateOf(one)).toMatchObject({ state: 'done', lead_id: lead?.id })
    expect(graph.asked).toEqual([`/v26.0/${one}`])
    const { body: shown } = await server.as('growth.tab').send(readLead, { body: { leadId: lead?.id ?? 0 } })
    expect(shown.lead).toMatchObject({ campaign: campaign.name, answers: [{ value: 'Mornings, Saturday' }] })
    expect(await fetchNow(one)).toBe('not waiting')
    expect(await stateOf(two)).toMatchObject({ state: 'waiting' })
  })
  it('does not recreate a merged lead after a repeated notification or a crash', async () => {
    const keeper = server.as('growth.tab')
    const [first, second] = [offer(), offer()]
    for (const id of [first, second]) {
      await deliver(announce(id))
      await fetchNow(id)
    }
    const [kept, duplicate] = [...(await leadsOf(first)), ...(await leadsOf(second))]
    const body = { duplicateId: duplicate?.id ?? 0 }
    expect((await keeper.send(mergeLeads, { params: { id: String(kept?.id) }, body })).status).toBe(200)
    expect(await stateOf(second)).toMatchObject({ state: 'done', lead_id: kept?.id })
    const count = async () => (await server.db.selectFrom('leads').select('id').execute()).length
    const before = await count()
    await deliver(announce(second))
    expect(await fetchNow(second)).toBe('not waiting')
    // As if the process had died before settling.
    const waiting = { state: 'waiting', lead_id: null, leased_until: null, settled_at: null } as const
    await server.db.updateTable('meta_leadgens').set(waiting).where('leadgen_id', '=', second).execute()
    expect(await fetchNow(second)).toBe('done')
    expect(await stateOf(second)).toMatchObject({ state: 'done', lead_id: kept?.id })
    expect(await count()).toBe(before)
  })
  it.each([
    ['no signature', (body: string) => ({ body, header: undefined })],
    ['a signature with another secret', (body: string) => ({ body, header: sign(body, 'another-secret-012345') })],
    ['a signature of other bytes with the same meaning', (body: string) => ({ body: `${body} `, header: sign(body) })],
    ['a truncated signature', (body: string) => ({ body, header: sign(body).slice(0, -2) })],
    ['the older kind of signature', (body: string) => ({ body, header: sign(body).replace('sha256', 'sha1') })],
  ])('saves nothing with %s, but records the attempt', async (_, make) => {
    const id = nextId()
    const { body, header } = make(announce(id))
    const before = (await inboundOf('not-let-in-2026-11-16T17'))?.times ?? 0
    const reply = await deliver(body, { 'x-hub-signature-256': header })
    expect([reply.status, reply.failure.code]).toEqual([403, 'bad_signature'])
    expect(await stateOf(id)).toBeUndefined()
    expect(await inboundOf(id)).toBeUndefined()
    expect(await inboundOf('not-let-in-2026-11-16T17')).toMatchObject({
      status: 'rejected',
      times: before + 1,
      fields: [],
    })
  })
  it.each([
    '{}',
    '[]',
    'null',
    '{"object":"user","entry":[]}',
    '{"object":"page","entry":{}}',
    '{broken',
    '',
    '['.repeat(100_000),
  ])('rejects malformed body %# although it is signed', async (body) => {
    expect((await deliver(body)).status).toBe(400)
  })
  it('ignores other changes, and accepts the rest', async () => {
    const id = offer()
    const body = announce(id).replace(
      '"changes":[',
      '"changes":[{"field":"feed","value":{"item":"post"}},{"field":"leadgen","value":{"leadgen_id":"x"}},',
    )
    expect((await deliver(body)).body).toEqual({ success: true, received: 1 })
  })
  it('rejects a body that is too large or not declared as JSON', async () => {
    expect((await deliver('x'.repeat(300_000))).status).toBe(413)
    expect((await deliver(announce(nextId()), { 'content-type': 'text/plain' })).status).toBe(415)
  })
})

describe('a lead that cannot be fetched', () => {
  const announced = async (fields?: FormField[]) => {
    const id = offer(fields)
    await deliver(announce(id))
    return id
  }
  const minutesUntil = async (id: string) => {
    const state = await stateOf(id)
    return state ? (state.next_try_at.getTime() - server.clock.now().getTime()) / MINUTE : undefined
  }

  it.each([
    ['is busy', { status: 500, error: { code: 2, message: 'Service temporarily unavailable' } }, 1],
    ['reports a transient error', { status: 400, error: { code: 12345, message: 'Try later', is_transient: true } }, 1],
    [
      'limits us for a given time',
      { status: 400, error: { code: 80_005, message: 'Too many calls' }, regainMinutes: 47 },
      47,
    ],
    ['replies with HTML', 'not JSON' as const, 1],
    ['hangs up', 'hang up' as const, 1],
    ['redirects', 'redirect' as const, 1],
    ['rejects our token', { status: 401, error: { code: 190, message: 'Token expired' } }, 15],
    ['requires another permission', { status: 403, error: { code: 200, message: 'Requires leads_retrieval' } }, 15],
  ])('is retried when Meta %s', async (_, fault, minutes) => {
    const id = await announced()
    graph.faults.push(fault)
    expect(await fetchNow(id)).toBe('postponed')
    expect(await minutesUntil(id)).toBe(minutes)
    expect((await stateOf(id))?.error).toBeTruthy()
    expect(await inboundOf(id)).toMatchObject({ status: 'failed', error: expect.any(String) })
    // The schedule retries it when it is due, not before.
    await fetchDueLeads(server.running.services)
    expect(await leadsOf(id)).toEqual([])
    server.clock.advance(minutes * MINUTE)
    await eventually(async () => {
      await fetchDueLeads(server.running.services)
      return (await leadsOf(id)).length === 1
    })
    expect(await inboundOf(id)).toMatchObject({ status: 'done', error: null })
    server.clock.set(TEST_NOW)
  })
  it('is retried with backoff', async () => {
    const id = await announced()
    const waits: (number | undefined)[] = []
    for (let n = 0; n < 4; n++) {
      graph.faults.push('hang up')
      await fetchNow(id)
      waits.push(await minutesUntil(id))
    }
    expect(waits).toEqual([1, 2, 4, 8])
    expect(await fetchNow(id)).toBe('done')
  })
  it('is marked as failed if Meta does not have it', async () => {
    const id = nextId()
    await deliver(announce(id))
    expect(await fetchNow(id)).toBe('postponed')
    expect(await stateOf(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('does not exist') })
    expect(await fetchNow(id)).toBe('not waiting')
  })
  it('is fetched by another process after a crash', async () => {
    const id = await announced()
    const lease = (leased_until: Date) =>
      server.db.updateTable('meta_leadgens').set({ leased_until }).where('leadgen_id', '=', id).execute()
    await lease(shift(systemClock.now(), MINUTE))
    // The lease uses the database clock, so a process with a fast clock cannot end it early.
    server.clock.advance(2 * MINUTE)
    expect(await fetchNow(id)).toBe('not waiting')
    server.clock.set(TEST_NOW)
    await lease(shift(systemClock.now(), -1))
    expect(await fetchNow(id)).toBe('done')
  })
})

describe('a form', () => {
  it.each<[string, FormField[], object]>([
    [
      'separate first and last names',
      [
        { name: 'first_name', values: ['Ana'] },
        { name: 'last_name', values: ['Ruiz'] },
        { name: 'work_email', values: ['ana@work.example'] },
      ],
      { first_name: 'Ana', last_name: 'Ruiz', email: 'ana@work.example' },
    ],
    [
      'one name',
      [
        { name: 'full_name', values: ['Cher'] },
        { name: 'phone_number', values: ['(951) 555-0199'] },
      ],
      { first_name: 'Cher', last_name: '', phone: '+19515550199', email: null },
    ],
    [
      'unknown fields only',
      [{ name: 'shoe_size', values: ['44'] }],
      { first_name: 'Unknown', email: null, answers: [{ name: 'shoe_size', value: '44' }] },
    ],
    [
      'an invalid email',
      [
        { name: 'full_name', values: ['Bo Li'] },
        { name: 'email', values: ['none, sorry'] },
      ],
      { email: null, answers: [{ name: 'email', value: 'none, sorry' }] },
    ],
    [
      'hostile text',
      [
        { name: 'full_name', values: [`<b>\u0000${'x'.repeat(500)}`] },
        { name: 'email', values: [`${'y'.repeat(60_000)}@z.com`] },
      ],
      { first_name: '<b>', email: null },
    ],
  ])('with %s becomes a lead', async (_, fields, expected) => {
    const id = offer(fields)
    await deliver(announce(id))
    expect(await fetchNow(id)).toBe('done')
    expect(await leadsOf(id)).toMatchObject([expected])
  })
  it('with a future time becomes a lead created now', async () => {
    const createdTime = new Date(server.clock.now().getTime() + DAY).toISOString()
    const id = offer(person, { createdTime })
    await deliver(announce(id))
    await fetchNow(id)
    expect((await leadsOf(id))[0]?.created_at).toEqual(server.clock.now())
  })
})

describe('end to end', () => {
  it('fetches an announced lead in a background job', async () => {
    const working = await startTestServer({ env: graph.env, withJobs: true })
    try {
      const id = offer()
      const body = announce(id)
      await working.anonymous().send(
        receiveMetaLeads,
        {},
        {
          rawBody: body,
          headers: { origin: undefined, 'content-type': 'application/json', 'x-hub-signature-256': sign(body) },
        },
      )
      const found = () => working.db.selectFrom('leads').select('id').where('leadgen_id', '=', id).executeTakeFirst()
      expect(await eventually(found)).toBeDefined()
    } finally {
      await working.stop()
    }
  })
  it('rejects requests and reports not connected in System health without an account', async () => {
    const bare = await startTestServer()
    try {
      const body = announce(nextId())
      const headers = { origin: undefined, 'content-type': 'application/json', 'x-hub-signature-256': sign(body) }
      expect((await bare.anonymous().send(receiveMetaLeads, {}, { rawBody: body, headers })).status).toBe(404)
      const query = { 'hub.mode': 'subscribe', 'hub.verify_token': 'x', 'hub.challenge': '1' } as const
      expect((await bare.anonymous().send(verifyMetaHook, { query })).status).toBe(404)
      const ads = async (of: TestServer) =>
        (await of.as('health.view').send(checkHealth, { body: {} })).body.checks.find(({ name }) => name === 'ads')
      expect(await ads(bare)).toMatchObject({ status: 'not_connected' })
      expect(await ads(server)).toMatchObject({
        status: 'ok',
        facts: expect.arrayContaining([{ label: 'Account', value: 'Limber Ads' }]),
      })
      graph.faults.push({ status: 401, error: { code: 190, message: 'Token expired' } })
      expect(await ads(server)).toMatchObject({ status: 'down', summary: expect.stringContaining('Token expired') })
    } finally {
      await bare.stop()
    }
  })
})
