import {
  assignLead,
  createLead,
  editLead,
  listLeadCampaigns,
  listLeads,
  listLeadWorkers,
  normalizePhone,
  noteLead,
  readLead,
} from '@limber/contract/marketing/leads/lead.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCampaign, makeLead } from './lead.factory.ts'

let server: TestServer
let keeper: TestCaller
let creator: TestCaller
const id = (lead: { id: number }) => ({ params: { id: String(lead.id) } })

beforeAll(async () => {
  server = await startTestServer()
  keeper = server.as('growth.tab')
  creator = server.as('leads.create', 'growth.tab')
})
afterAll(() => server.stop())

const audits = (subject: number) =>
  server.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('subject', '=', 'lead')
    .where('subject_id', '=', String(subject))
    .orderBy('id')
    .execute()

describe('GET /api/marketing/leads', () => {
  let mine: number
  let autumn = 0
  beforeAll(async () => {
    const { db } = server
    const at = (hours: number) => shift(server.clock.now(), -hours * HOUR)
    mine = (await keeper.worker()).id
    autumn = (await makeCampaign(db, { name: 'Autumn' })).id
    const campaign_id = autumn
    const jose = { first_name: 'José', last_name: 'Núñez', email: 'jose@example.com', phone: '+19515550100' }
    await makeLead(db, { ...jose, created_at: at(9), campaign_id, assignee_id: mine })
    const percent = { first_name: '50%', last_name: "O'Neil; drop", email: 'off_code@example.com' }
    await makeLead(db, { ...percent, created_at: at(8), passed: [{ status: 'contacted', after: 1 }] })
    const lost = { status: 'not_interested', after: 2, reason: 'Too far' } as const
    await makeLead(db, { first_name: 'Kim', last_name: 'Lost', created_at: at(7), passed: [lost] })
    await makeLead(db, { first_name: 'Ana', last_name: '', email: null, phone: '+19515550101', created_at: at(6) })
  })
  const found = async (query: Record<string, string>) => {
    const { body } = await keeper.send(listLeads, { query: query as never })
    expect(body.pagination.totalItems).toBe(body.leads.length)
    return body.leads.map(({ first_name }) => first_name)
  }

  it('lists the newest leads first, with counts of all leads', async () => {
    const { body } = await keeper.send(listLeads)
    expect(body.leads.map(({ first_name }) => first_name)).toEqual(['Ana', 'Kim', '50%', 'José'])
    expect(body.stats).toEqual({ new: 2, contacted: 1, converted: 0, not_interested: 1 })
    expect(body.leads[3]).toMatchObject({ campaign: 'Autumn', assignee: { id: mine }, customer: null, notes: [] })
    expect(body.leads[1]).toMatchObject({ lostReason: 'Too far', firstResponseAt: expect.any(String) })
  })
  it.each([
    ['a name without accents', { search: 'jose nun' }, ['José']],
    ['an email', { search: 'OFF_CODE@' }, ['50%']],
    ['a phone', { search: '5550101' }, ['Ana']],
    ['a formatted phone number', { search: '(951) 555-0101' }, ['Ana']],
    ['a literal percent sign', { search: '0%' }, ['50%']],
    ['nothing by wildcard', { search: 'off%code' }, []],
    ['literal SQL', { search: "'neil; drop" }, ['50%']],
    ['10 kB', { search: 'x'.repeat(10_000) }, []],
    ['a status', { status: 'not_interested' }, ['Kim']],
    ['open leads', { status: 'open' }, ['Ana', '50%', 'José']],
    ['unassigned leads', { assigned_to: 'none', status: 'new' }, ['Ana']],
    ['my leads', { assigned_to: 'me' }, ['José']],
    ['a search inside a status', { status: 'contacted', search: 'jose' }, []],
  ])('finds %s', async (_, query, expected) => {
    expect(await found(query)).toEqual(expected)
  })
  it('finds the leads of a campaign', async () => {
    expect(await found({ campaign: String(autumn) })).toEqual(['José'])
    expect(await found({ campaign: String(autumn), status: 'contacted' })).toEqual([])
    expect(await found({ campaign: '999999' })).toEqual([])
  })
  it('is paginated', async () => {
    const { body } = await keeper.send(listLeads, { query: { page: '2', limit: '3' } })
    expect(body.leads.map(({ first_name }) => first_name)).toEqual(['José'])
    expect(body.pagination).toEqual({ page: 2, limit: 3, totalItems: 4, totalPages: 2 })
  })
  it.each([
    { page: '0' },
    { limit: '101' },
    { status: 'gone' },
    { assigned_to: '1.5' },
    { assigned_to: 'x' },
    { campaign: 'x' },
    { q: '1' },
  ])('rejects %j', async (query) => {
    expect((await keeper.send(listLeads, { query: query as never })).status).toBe(400)
  })
})

describe('POST /api/marketing/lead', () => {
  it('shows one lead with its steps and duplicates', async () => {
    const { db } = server
    const email = 'twice@example.com'
    const other = await makeLead(db, { email, first_name: 'First' })
    await makeLead(db, { phone: '+19515550177', first_name: 'Phone' })
    const created_at = shift(server.clock.now(), -5 * HOUR)
    const passed = [{ status: 'contacted', after: 2 } as const]
    const lead = await makeLead(db, { email, phone: '+19515550177', created_at, passed })
    const { body } = await keeper.send(readLead, { body: { leadId: lead.id } })
    expect(body.lead.steps).toMatchObject([
      { status: 'new', leftAt: shift(created_at, 2 * HOUR).toISOString() },
      { status: 'contacted', leftAt: null },
    ])
    const why = Object.fromEntries(body.lead.duplicates.map((one) => [one.name.split(' ')[0], one.why]))
    expect(why).toEqual({ First: 'same e-mail', Phone: 'same phone' })
    expect(body.lead.bookings).toBeNull()
    expect((await keeper.send(readLead, { body: { leadId: String(other.id) } })).body.lead.id).toBe(other.id)
  })
  it('returns 404 for an unknown lead, and rejects an invalid id', async () => {
    expect((await keeper.send(readLead, { body: { leadId: 999_999 } })).status).toBe(404)
    for (const leadId of [-1, 1.5, 'x', null, { $gt: 0 }])
      expect((await keeper.send(readLead, { body: { leadId } as never })).status).toBe(400)
  })
})

describe('POST /api/marketing/leads', () => {
  const body = { first_name: 'Noa', last_name: 'Park', email: ' Noa@Example.com ', phone: '(951) 555-0142' }

  it('adds a lead assigned to its creator, with its first step and note', async () => {
    const campaign = await makeCampaign(server.db)
    const given = { ...body, source: 'event', campaign_id: campaign.id, note: 'Met at the fair' } as const
    const { body: made, status } = await creator.send(createLead, { body: given })
    expect(status).toBe(200)
    const worker = (await creator.worker()).id
    expect(made.lead).toMatchObject({
      email: 'noa@example.com',
      phone: '+19515550142',
      status: 'new',
      source: 'event',
      campaign: campaign.name,
      assignee: { id: worker },
      createdBy: { id: worker },
      notes: [{ worker_id: worker, content: 'Met at the fair' }],
      steps: [{ status: 'new', leftAt: null }],
    })
    expect((await audits(made.lead.id)).map(({ action }) => action)).toEqual(['lead_created'])
  })
  it.each([
    ['email', { first_name: 'Other', email: 'NOA@example.com' }],
    ['phone number', { first_name: 'Other', phone: '+1 951 555 0142' }],
  ])('rejects a lead with the same %s, and returns the existing one', async (what, given) => {
    const before = await server.db.selectFrom('leads').select('id').execute()
    const reply = await creator.send(createLead, { body: given })
    expect(reply.status).toBe(409)
    expect(reply.failure).toMatchObject({ code: 'duplicate', current: { first_name: 'Noa', email: 'noa@example.com' } })
    expect(reply.failure.error).toBe(`A lead with this ${what} already exists: Noa Park.`)
    expect(await server.db.selectFrom('leads').select('id').execute()).toHaveLength(before.length)
  })
  it('creates one lead if twenty workers add the same person at once', async () => {
    const same = { first_name: 'Race', email: 'race@example.com', phone: '+19515550188' }
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        // Some have the email, some the phone, some both.
        creator.send(createLead, {
          body: { ...same, ...(n % 3 === 1 && { email: null }), ...(n % 3 === 2 && { phone: null }) },
        }),
      ),
    )
    const made = await server.db.selectFrom('leads').select('id').where('first_name', '=', 'Race').execute()
    const good = replies.filter(({ status }) => status === 200).length
    expect(made).toHaveLength(good)
    // At most two: an email-only and a phone-only lead have no contact in common.
    expect(good).toBeLessThanOrEqual(2)
    for (const { status } of replies) expect([200, 409]).toContain(status)
  })
  it.each([
    [{ first_name: 'No contact' }, 422],
    [{ ...body, email: 'c@example.com', phone: null, campaign_id: 999_999 }, 422],
    [{ ...body, first_name: ' ' }, 400],
    [{ ...body, email: 'no' }, 400],
    [{ ...body, email: `${'x'.repeat(60_000)}@e.com` }, 400],
    [{ ...body, phone: '123' }, 400],
    [{ ...body, source: 'tv' }, 400],
    [{ ...body, status: 'converted' }, 400],
    [{ ...body, first_name: 'x'.repeat(101) }, 400],
    [[], 400],
  ])('rejects invalid body %#', async (given, status) => {
    expect((await creator.send(createLead, { body: given as never })).status).toBe(status)
  })
  it('requires the permission to create leads', async () => {
    expect((await keeper.send(createLead, { body })).status).toBe(403)
  })
  it('leaves the lead unassigned if its creator cannot be assigned leads', async () => {
    const given = { first_name: 'Lone', email: 'lone@example.com' }
    const { body: made } = await server.as('leads.create').send(createLead, { body: given })
    expect(made.lead.assignee).toBeNull()
  })
  it.each([
    ['(951) 555-0142', '+19515550142'],
    ['951.555.0142', '+19515550142'],
    ['1 951 555 0142', '+19515550142'],
    ['+44 20 7946 0018', '+442079460018'],
    ['020 7946 0018', '02079460018'],
  ])('normalizes %s to %s', (typed, number) => {
    expect(normalizePhone(typed)).toBe(number)
  })
})

describe('PATCH /api/marketing/leads/:id', () => {
  it('changes only the given fields, and writes an audit row', async () => {
    const lead = await makeLead(server.db, { first_name: 'Wrong', email: 'wrong@example.com' })
    const body = { first_name: 'Right', email: 'right@example.com', version: lead.version }
    const reply = await keeper.send(editLead, { ...id(lead), body })
    expect(reply.body.lead).toMatchObject({ first_name: 'Right', last_name: 'Vega', email: 'right@example.com' })
    expect(reply.body.lead.version).toBe(lead.version + 1)
    expect(await audits(lead.id)).toEqual([
      // Field names only: personal data could not be erased from the log.
      { action: 'lead_edited', before: {}, after: { changed: ['first_name', 'email'] } },
    ])
    const same = await keeper.send(editLead, { ...id(lead), body: { first_name: 'Right' } })
    expect(same.body.lead.version).toBe(lead.version + 1)
  })
  it('accepts a missing first name only if there was none before', async () => {
    const nameless = await makeLead(server.db, { first_name: '', last_name: '', email: 'only@example.com' })
    const body = { first_name: '', last_name: '', email: 'only.me@example.com' }
    const reply = await keeper.send(editLead, { ...id(nameless), body })
    expect(reply.body.lead).toMatchObject({ first_name: '', email: 'only.me@example.com' })
    const named = await makeLead(server.db)
    expect((await keeper.send(editLead, { ...id(named), body: { first_name: ' ' } })).status).toBe(422)
  })
  it('rejects a stale version with the current lead', async () => {
    const lead = await makeLead(server.db)
    await keeper.send(editLead, { ...id(lead), body: { first_name: 'Theirs', version: lead.version } })
    const reply = await keeper.send(editLead, { ...id(lead), body: { first_name: 'Mine', version: lead.version } })
    expect(reply.status).toBe(409)
    expect(reply.failure).toMatchObject({ code: 'stale', current: { first_name: 'Theirs' } })
  })
  it('rejects an email of another lead, but allows edits of a known duplicate', async () => {
    const email = 'shared@example.com'
    const first = await makeLead(server.db, { email })
    const second = await makeLead(server.db, { email })
    const third = await makeLead(server.db)
    expect((await keeper.send(editLead, { ...id(third), body: { email } })).status).toBe(409)
    expect((await keeper.send(editLead, { ...id(second), body: { last_name: 'New', email } })).status).toBe(200)
    expect((await keeper.send(editLead, { ...id(first), body: { email: null } })).status).toBe(422)
    expect((await keeper.send(editLead, { params: { id: '999999' }, body: {} })).status).toBe(404)
  })
})

describe('POST /api/marketing/leads/:id/notes', () => {
  it('adds a note under the own name, as plain text', async () => {
    const lead = await makeLead(server.db)
    const workerId = (await keeper.worker()).id
    const note = '<img src=x onerror=alert(1)> called'
    const { body } = await keeper.send(noteLead, { ...id(lead), body: { note, workerId } })
    expect(body.notes).toMatchObject([{ worker_id: workerId, content: note }])
    expect((await audits(lead.id)).map(({ action }) => action)).toEqual(['lead_noted'])
  })
  it('rejects a colleague’s name, a missing worker, and an empty or invalid note', async () => {
    const lead = await makeLead(server.db)
    const colleague = (await creator.worker()).id
    const mine = (await keeper.worker()).id
    const forged = await keeper.send(noteLead, { ...id(lead), body: { note: 'a', workerId: colleague } })
    expect([forged.status, forged.failure.code]).toEqual([403, 'other_worker'])
    const unnamed = await keeper.send(noteLead, { ...id(lead), body: { note: 'a' } })
    expect([unnamed.status, unnamed.failure.error]).toEqual([400, 'No worker info'])
    for (const note of [' ', 'x'.repeat(5_001), '\u0000'])
      expect((await keeper.send(noteLead, { ...id(lead), body: { note, workerId: mine } })).status).toBe(400)
    const gone = await keeper.send(noteLead, { params: { id: '999999' }, body: { note: 'a', workerId: mine } })
    expect(gone.status).toBe(404)
    expect(await server.db.selectFrom('lead_notes').select('id').where('lead_id', '=', lead.id).execute()).toEqual([])
  })
})

describe('PATCH /api/marketing/leads/:id/assignee', () => {
  it('assigns a lead to a worker with the permission, and unassigns it', async () => {
    const lead = await makeLead(server.db)
    const workerId = (await creator.worker()).id
    const given = await keeper.send(assignLead, { ...id(lead), body: { workerId, version: 1 } })
    expect(given.body.lead.assignee?.id).toBe(workerId)
    const stale = await keeper.send(assignLead, { ...id(lead), body: { workerId: null, version: 1 } })
    expect(stale.status).toBe(409)
    const taken = await keeper.send(assignLead, { ...id(lead), body: { workerId: null } })
    expect(taken.body.lead.assignee).toBeNull()
    const stranger = (await server.as('support.tab').worker()).id
    expect((await keeper.send(assignLead, { ...id(lead), body: { workerId: stranger } })).status).toBe(422)
    const { body } = await keeper.send(listLeadWorkers)
    expect(body.map((one) => one.id)).toContain(workerId)
    expect(body.map((one) => one.id)).not.toContain(stranger)
  })
  it('lists campaigns, running ones first', async () => {
    await makeCampaign(server.db, { name: 'Over', status: 'completed', created_at: shift(server.clock.now(), HOUR) })
    const { body } = await keeper.send(listLeadCampaigns)
    expect(body.at(-1)?.name).toBe('Over')
  })
})
