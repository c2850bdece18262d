// @module-tag slow
import { LeadStatus, noteLead, readLead } from '@limber/contract/marketing/leads/lead.ts'
import { areTwoCustomers, mergeLeads, previewMerge } from '@limber/contract/marketing/leads/lead-merge.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeWorker } from '#access/workers/worker.factory.ts'
import { HOUR, shift } from '#platform/clock.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeCampaign, makeLead, type StatusChange } from './lead.factory.ts'

let server: TestServer
let reader: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  reader = server.as('growth.tab')
})
afterAll(() => server.stop())

const drawn = fc.record({
  first_name: fc.constantFrom('Robin', 'R.', ''),
  last_name: fc.constantFrom('Vega', 'Hood', ''),
  email: fc.option(fc.constantFrom('one@example.com', 'other@example.com')),
  phone: fc.constantFrom('+19515550101', '+19515550102'),
  source: fc.constantFrom('website', 'event', 'facebook_lead_ad'),
  campaign: fc.option(fc.nat(1)),
  assignee: fc.option(fc.nat(1)),
  customer: fc.option(fc.nat(1), { freq: 1 }),
  // A narrow range, so that equal creation times are common.
  hours: fc.integer({ min: 20, max: 23 }),
  way: fc.array(fc.constantFrom(...LeadStatus.options), { maxLength: 3 }),
  notes: fc.nat(2),
})

type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never

it('P the merge preview matches the result for any two leads', async () => {
  const { db, clock } = server
  const { id: workerId } = await reader.worker()
  const campaigns = [await makeCampaign(db, { name: 'One' }), await makeCampaign(db, { name: 'Two' })]
  const workers = [await makeWorker(db), await makeWorker(db)]
  const customers = [await makeCustomer(db), await makeCustomer(db)]
  const make = async ({ way, hours, campaign, assignee, customer, notes, ...lead }: Drawn) => {
    const steps = way.filter((status, at) => status !== (way[at - 1] ?? 'new'))
    const made = await makeLead(db, {
      ...lead,
      campaign_id: campaigns[campaign ?? -1]?.id ?? null,
      assignee_id: workers[assignee ?? -1]?.id ?? null,
      customer_id: customers[customer ?? -1]?.id ?? null,
      created_at: shift(clock.now(), -hours * HOUR),
      passed: steps.map((status, at): StatusChange => ({ status, after: 1 + at * 3 })),
    })
    for (let n = 0; n < notes; n++)
      await reader.send(noteLead, { params: { id: String(made.id) }, body: { note: `Note ${n}`, workerId } })
    return (await reader.send(readLead, { body: { leadId: made.id } })).body.lead
  }
  await fc.assert(
    fc.asyncProperty(drawn, drawn, async (a, b) => {
      const [kept, duplicate] = [await make(a), await make(b)]
      const preview = previewMerge(kept, duplicate)
      const reply = await reader.send(mergeLeads, {
        params: { id: String(kept.id) },
        body: { duplicateId: duplicate.id },
      })
      if (areTwoCustomers(kept, duplicate)) return expect(reply.failure.code).toBe('two_customers')
      expect(reply.status).toBe(200)
      expect(reply.body.lead).toMatchObject(preview)
    }),
    { numRuns: rounds(10, 40) },
  )
}, 120_000)
