// @module-tag slow
import { readCampaign } from '@limber/contract/marketing/campaigns/campaign.ts'
import {
  assignLead,
  convertLead,
  createLead,
  editLead,
  listLeads,
  listLeadWorkers,
  noteLead,
  readLead,
  setLeadStatus,
} from '@limber/contract/marketing/leads/lead.ts'
import { type MergeLeads, mergeLeads } from '@limber/contract/marketing/leads/lead-merge.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, shift } from '#platform/clock.ts'
import { isSuppressed, suppress } from '#platform/mail/suppressions.ts'
import { eventually, startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeCampaign, makeLead } from './lead.factory.ts'
import { findInconsistentLeads } from './lead.testing.ts'
import { lockContact } from './lead-change.queries.ts'

let server: TestServer
let keeper: TestCaller
let closer: TestCaller
let now: Date
const ago = (hours: number) => shift(now, -hours * HOUR)
const id = (lead: { id: number }) => ({ params: { id: String(lead.id) } })
const merge = (
  kept: { id: number },
  duplicate: { id: number },
  more: Partial<MergeLeads> = {},
  caller: TestCaller = keeper,
) => caller.send(mergeLeads, { ...id(kept), body: { duplicateId: duplicate.id, ...more } })
const read = async (lead: { id: number }) => (await keeper.send(readLead, { body: { leadId: lead.id } })).body.lead

beforeAll(async () => {
  server = await startTestServer()
  now = server.clock.now()
  keeper = server.as('growth.tab')
  closer = server.as('growth.tab', 'leads.convert', 'leads.create')
})
afterAll(() => server.stop())

/** Inconsistent leads. An id must not be both a lead and merged, and no merged lead may point to a merged one. */
async function findBroken() {
  const { rows } = await sql`
    select m.id from merged_leads m join leads l on l.id = m.id
    union all select m.id from merged_leads m join merged_leads k on k.id = m.lead_id`.execute(server.db)
  return [...(await findInconsistentLeads(server.db)), ...rows]
}

describe('POST /api/marketing/leads/:id/merge', () => {
  it('moves notes, answers and steps, fills in missing fields, and writes an audit row', async () => {
    const { db } = server
    const { id: workerId } = await keeper.worker()
    const campaign = await makeCampaign(db, { name: 'First touch' })
    const answers = JSON.stringify([{ name: 'preferred_time', value: 'Mornings' }])
    const kept = await makeLead(db, {
      ...{ first_name: 'Robin', last_name: '', email: 'robin-merge@example.com', source: 'manual' },
      created_at: ago(10),
      passed: [{ status: 'contacted', after: 2, workerId }],
      assignee_id: workerId,
    })
    const duplicate = await makeLead(db, {
      ...{ first_name: 'R.', last_name: 'Vega', email: 'robin-merge@example.com', phone: '+19515550123' },
      ...{ source: 'facebook_lead_ad', campaign_id: campaign.id, answers, created_at: ago(48) },
      passed: [{ status: 'onboarding_started', after: 5 }],
    })
    for (const lead of [duplicate, kept])
      await keeper.send(noteLead, { ...id(lead), body: { note: `About ${lead.first_name}`, workerId } })
    const { status, body } = await merge(kept, duplicate)
    expect([status, body.moved]).toEqual([200, { notes: 1, steps: 2, answers: 1 }])
    expect(body.lead).toMatchObject({
      ...{ id: kept.id, first_name: 'Robin', last_name: 'Vega', phone: '+19515550123', version: kept.version + 1 },
      // The further status wins; source and creation come from the earlier lead.
      ...{ status: 'contacted', assignee: { id: workerId }, statusSince: ago(8).toISOString() },
      ...{ source: 'facebook_lead_ad', campaign: 'First touch', createdAt: ago(48).toISOString() },
      firstResponseAt: ago(43).toISOString(),
      answers: [{ name: 'preferred_time', value: 'Mornings' }],
      duplicates: [],
    })
    expect(body.lead.notes.map(({ content }) => content)).toEqual(['About R.', 'About Robin'])
    expect(body.lead.steps.map((step) => [step.status, step.leftAt, step.endedByMerge])).toEqual([
      ['new', ago(43).toISOString(), false],
      ['onboarding_started', now.toISOString(), true],
      ['new', ago(8).toISOString(), false],
      ['contacted', null, false],
    ])
    expect(body.lead.merged).toMatchObject([
      {
        id: duplicate.id,
        name: 'R. Vega',
        phone: '+19515550123',
        source: 'facebook_lead_ad',
        worker: expect.any(String),
      },
    ])
    const audit = await db
      .selectFrom('audit_log')
      .select(['subject_id', 'before', 'after', 'outcome'])
      .where('action', '=', 'lead_merged')
      .execute()
    expect(audit).toEqual([
      {
        subject_id: String(kept.id),
        outcome: 'done',
        before: { source: 'manual', campaign_id: null },
        after: {
          ...{ from: duplicate.id, source: 'facebook_lead_ad', campaign_id: campaign.id },
          ...{ filled: ['last_name', 'phone'], notes: 1, steps: 2, answers: 1 },
        },
      },
    ])
    expect(await findBroken()).toEqual([])
  })

  it('leaves one lead in lists, counts and campaigns, and redirects the old ids to it', async () => {
    const { db } = server
    const { id: workerId } = await keeper.worker()
    const { id: campaign_id } = await makeCampaign(db, { name: 'Twice' })
    const person = { first_name: 'Quill', email: 'quill@example.com', campaign_id, assignee_id: workerId }
    const [first, second, third] = [
      await makeLead(db, { ...person, created_at: ago(30) }),
      await makeLead(db, { ...person, created_at: ago(20) }),
      await makeLead(db, { ...person, created_at: ago(10) }),
    ]
    const count = async () => {
      const list = (await keeper.send(listLeads, { query: { search: 'quill' } })).body
      const ofCampaign = (await keeper.send(listLeads, { query: { campaign: String(campaign_id) } })).body
      const open = (await keeper.send(listLeadWorkers)).body.find((one) => one.id === workerId)?.open ?? 0
      const { campaign } = (await keeper.send(readCampaign, { params: { id: String(campaign_id) } })).body
      return {
        ...{ found: list.leads.map((lead) => lead.id), total: list.pagination.totalItems, fresh: list.stats.new },
        ...{ ofCampaign: ofCampaign.pagination.totalItems, leads: campaign.total_leads, open },
      }
    }
    const before = await count()
    expect(before).toMatchObject({ total: 3, ofCampaign: 3, leads: 3 })
    // A chain of merges: earlier merges move along.
    const { body } = await merge(second, third)
    expect((await merge(first, second)).body.stats.new).toBe(body.stats.new - 1)
    expect(await count()).toEqual({
      ...{ found: [first.id], total: 1, ofCampaign: 1, leads: 1 },
      ...{ fresh: before.fresh - 2, open: before.open - 2 },
    })
    for (const old of [second, third]) expect((await read(old)).id).toBe(first.id)
    expect((await read(first)).merged.map((one) => one.id).sort()).toEqual([second.id, third.id].sort())
    expect(await findBroken()).toEqual([])
  })

  it('keeps the customer, and ends the step of the lost lead', async () => {
    const customer = await makeCustomer(server.db)
    const lost = await makeLead(server.db, {
      created_at: ago(9),
      passed: [{ status: 'not_interested', after: 2, reason: 'No time' }],
    })
    const won = await makeLead(server.db, {
      ...{ customer_id: customer.id, created_at: ago(5) },
      passed: [{ status: 'converted', after: 1 }],
    })
    const { lead } = (await merge(lost, won)).body
    expect(lead).toMatchObject({ id: lost.id, status: 'converted', lostReason: null, customer: { id: customer.id } })
    expect(lead.convertedAt).toBe(ago(4).toISOString())
    expect(lead.bookings).toMatchObject({ total: 0 })
    const ended = lead.steps.filter(({ endedByMerge }) => endedByMerge)
    expect(ended).toMatchObject([{ status: 'not_interested', reason: 'No time', leftAt: now.toISOString() }])
    expect(await findBroken()).toEqual([])
  })

  it('refuses itself, missing and merged leads, two customers, and stale versions', async () => {
    const { db } = server
    const [a, b, c] = [await makeLead(db, { first_name: 'Ada' }), await makeLead(db), await makeLead(db)]
    const refusalOf = async (reply: ReturnType<typeof merge>) => {
      const { status, failure } = await reply
      return [status, failure.code, failure.error]
    }
    expect(await refusalOf(merge(a, a))).toEqual([422, 'itself', 'A lead cannot be merged into itself.'])
    const missing = { id: 999_999 }
    for (const reply of [merge(a, missing), merge(missing, a)])
      expect(await refusalOf(reply)).toEqual([404, 'not_found', 'This lead does not exist.'])
    const words = 'Someone else changed one of these leads. Reload and try again.'
    expect(await refusalOf(merge(a, b, { version: 7 }))).toEqual([409, 'stale', words])
    const late = await merge(a, b, { version: 1, duplicateVersion: 7 })
    expect([late.status, late.failure.code, late.failure.current]).toMatchObject([
      409,
      'stale',
      { id: b.id, version: 1 },
    ])
    expect((await merge(a, b, { version: 1, duplicateVersion: 1 })).status).toBe(200)
    const again = [409, 'merged', 'This lead was merged into Ada Vega. Reload and try again.']
    expect(await refusalOf(merge(c, b))).toEqual(again)
    expect(await refusalOf(merge(b, c))).toEqual(again)
    const [one, other] = [await makeCustomer(db), await makeCustomer(db)]
    const passed = [{ status: 'converted', after: 1 }] as const
    const [x, y] = [
      await makeLead(db, { customer_id: one.id, created_at: ago(3), passed }),
      await makeLead(db, { customer_id: other.id, created_at: ago(3), passed }),
    ]
    expect(await refusalOf(merge(x, y))).toEqual([
      ...[409, 'two_customers'],
      `These leads belong to two customers, number ${one.id} and number ${other.id}. Merge the customers first.`,
    ])
    expect((await read(y)).id).toBe(y.id)
  })

  it.each([{}, { duplicateId: '1' }, { duplicateId: 0 }, { duplicateId: 1, x: 1 }, { duplicateId: 1, version: 'a' }])(
    'rejects %j',
    async (body) => {
      expect((await keeper.send(mergeLeads, { params: { id: '2' }, body: body as never })).status).toBe(400)
    },
  )

  it('requires the Growth tab, whether or not the lead exists', async () => {
    const [a, b] = [await makeLead(server.db), await makeLead(server.db)]
    const stranger = server.as('support.tab', 'leads.create', 'leads.convert')
    expect((await merge(a, b, {}, stranger)).status).toBe(403)
    expect((await merge({ id: 999_999 }, b, {}, stranger)).status).toBe(403)
    expect((await read(b)).id).toBe(b.id)
  })
})

describe('concurrent changes', () => {
  it('one of two merges in opposite directions wins, without data loss or deadlock', async () => {
    const { id: workerId } = await keeper.worker()
    for (let round = 0; round < 12; round++) {
      const [a, b] = [await makeLead(server.db), await makeLead(server.db)]
      for (const lead of [a, b]) await keeper.send(noteLead, { ...id(lead), body: { note: `Of ${lead.id}`, workerId } })
      const replies = await Promise.all([merge(a, b), merge(b, a), merge(a, b), merge(b, a)])
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
      const late = replies.filter(({ status }) => status === 409)
      expect(new Set(late.map(({ failure }) => failure.code))).toEqual(new Set(['merged']))
      const lead = await read(a)
      expect(lead).toMatchObject({ notes: [{ content: `Of ${a.id}` }, { content: `Of ${b.id}` }] })
      expect((await read(b)).id).toBe(lead.id)
    }
    expect(await findBroken()).toEqual([])
  })

  it('a merge waits for a concurrent entry of the same person', async () => {
    const email = 'entering@example.com'
    const [kept, duplicate] = [await makeLead(server.db), await makeLead(server.db, { email })]
    let merging: ReturnType<typeof merge> | undefined
    await server.db.transaction().execute(async (tx) => {
      await lockContact(tx, { email })
      merging = merge(kept, duplicate)
      const isWaiting = async () => {
        const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(tx)
        return rows.length > 0
      }
      expect(await eventually(isWaiting)).toBe(true)
    })
    expect((await merging)?.status).toBe(200)
  })

  it('a merge loses no notes, steps or edits of other workers', async () => {
    const { id: workerId } = await keeper.worker()
    for (let round = 0; round < 8; round++) {
      const email = `busy-${round}@example.com`
      const [kept, duplicate] = [await makeLead(server.db, { email }), await makeLead(server.db, { email })]
      const replies = await Promise.all([
        keeper.send(noteLead, { ...id(duplicate), body: { note: 'Called', workerId } }),
        keeper.send(setLeadStatus, { body: { leadId: duplicate.id, status: 'contacted' } }),
        merge(kept, duplicate),
        closer.send(createLead, { body: { first_name: 'Again', email } as never }),
        keeper.send(editLead, { ...id(duplicate), body: { last_name: 'Busy' } }),
      ])
      const [noted, moved, merging, created] = replies
      expect(merging.status).toBe(200)
      expect(created.failure.code).toBe('duplicate')
      for (const { status, failure } of replies)
        if (status !== 200) expect(['merged', 'duplicate']).toContain(failure.code)
      const lead = await read(kept)
      expect(lead.notes).toHaveLength(noted.status === 200 ? 1 : 0)
      expect(lead.status).toBe(moved.status === 200 ? 'contacted' : 'new')
    }
    expect(await findBroken()).toEqual([])
  })
})

describe('a merged lead', () => {
  it('rejects changes, and names the lead it was merged into', async () => {
    const { id: workerId } = await closer.worker()
    const [kept, gone] = [await makeLead(server.db, { first_name: 'Kay' }), await makeLead(server.db)]
    await merge(kept, gone)
    const replies = [
      await closer.send(editLead, { ...id(gone), body: { first_name: 'X' } }),
      await closer.send(setLeadStatus, { body: { leadId: gone.id, status: 'contacted' } }),
      await closer.send(convertLead, id(gone)),
      await closer.send(noteLead, { ...id(gone), body: { note: 'X', workerId } }),
      await closer.send(assignLead, { ...id(gone), body: { workerId } }),
    ]
    for (const { status, failure } of replies)
      expect([status, failure.code, failure.error]).toEqual([
        ...[409, 'merged', 'This lead was merged into Kay Vega. Reload and try again.'],
      ])
    expect((await read(kept)).version).toBe(2)
  })

  it('is still recognized by email and phone', async () => {
    const kept = await makeLead(server.db, { email: 'kept@example.com', phone: '+19515550300' })
    const gone = await makeLead(server.db, { email: 'old@example.com', phone: '+19515550301' })
    await merge(kept, gone)
    for (const contact of [{ email: 'old@example.com' }, { phone: '+19515550301' }]) {
      const { failure } = await closer.send(createLead, { body: { first_name: 'R', ...contact } as never })
      expect([failure.code, failure.current]).toMatchObject(['duplicate', { id: kept.id }])
    }
    // The kept lead may take over the address of the merged one.
    const edit = await keeper.send(editLead, { ...id(kept), body: { email: 'old@example.com' } })
    expect(edit.body.lead.email).toBe('old@example.com')
    await keeper.send(editLead, { ...id(kept), body: { email: 'kept@example.com' } })
    // Ad leads are not checked for duplicates, so the two leads list each other.
    const fresh = await makeLead(server.db, { email: 'old@example.com' })
    expect((await read(fresh)).duplicates).toMatchObject([{ id: kept.id, why: 'same e-mail' }])
    expect((await read(kept)).duplicates).toMatchObject([{ id: fresh.id, why: 'same e-mail' }])
  })

  it('links the account with its email on conversion', async () => {
    const customer = await makeCustomer(server.db, { email: 'account@example.com' })
    const kept = await makeLead(server.db, { email: 'newer@example.com' })
    await merge(kept, await makeLead(server.db, { email: 'account@example.com' }))
    expect((await closer.send(convertLead, id(kept))).body.lead.customer?.id).toBe(customer.id)
  })

  it('keeps the opt-outs of all addresses', async () => {
    const [kept, gone] = [
      await makeLead(server.db, { email: 'wants@example.com' }),
      await makeLead(server.db, { email: 'opted-out@example.com', phone: '+19515550399' }),
    ]
    const left = { reason: 'unsubscribed', source: 'link' } as const
    await suppress(server.db, 'opted-out@example.com', { channel: 'mail', ...left }, now)
    await suppress(server.db, '+19515550399', { channel: 'text', ...left }, now)
    expect((await merge(kept, gone)).body.lead.phone).toBe('+19515550399')
    expect(await isSuppressed(server.db, 'mail', 'opted-out@example.com')).toBe(true)
    expect(await isSuppressed(server.db, 'text', '+19515550399')).toBe(true)
  })
})
