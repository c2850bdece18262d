// @module-tag slow
import { readLeaderboard, readTeam, readTeamSummary } from '@limber/contract/growth/team/team.ts'
import { listCampaigns, readCampaign } from '@limber/contract/marketing/campaigns/campaign.ts'
import { conversionOf } from '@limber/contract/marketing/leads/conversion.ts'
import { LeadStatus, listLeads } from '@limber/contract/marketing/leads/lead.ts'
import { readLeadAnalytics, readLeadFunnel } from '@limber/contract/marketing/leads/lead-analytics.ts'
import { mergeLeads } from '@limber/contract/marketing/leads/lead-merge.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY, HOUR, shift } from '#platform/clock.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCampaign, makeLead, type StatusChange } from './lead.factory.ts'

let server: TestServer
let reader: TestCaller
let workerId: number
let campaigns: number[]
beforeAll(async () => {
  server = await startTestServer()
  reader = server.as('growth.tab')
  workerId = (await reader.worker()).id
  campaigns = [(await makeCampaign(server.db)).id, (await makeCampaign(server.db)).id]
})
afterAll(() => server.stop())

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** All lead counts that screens show. */
async function readFigures() {
  const timeRange = '90d'
  const { body: list } = await reader.send(listLeads)
  const { body: analytics } = await reader.send(readLeadAnalytics, { query: { timeRange } })
  const { body: funnel } = await reader.send(readLeadFunnel, { query: { timeRange } })
  const { body: summary } = await reader.send(readTeamSummary)
  const { body: board } = await reader.send(readLeaderboard)
  const { body: team } = await reader.send(readTeam)
  const { body: brought } = await reader.send(listCampaigns)
  const shown = await Promise.all(campaigns.map((id) => reader.send(readCampaign, { params: { id: String(id) } })))
  return { list, analytics, funnel, summary, board, team, brought, shown: shown.map(({ body }) => body.campaign) }
}

/** Checks that the same count is equal everywhere. */
async function checkFigures() {
  const { list, analytics, funnel, summary, board, team, brought, shown } = await readFigures()
  const total = list.pagination.totalItems
  expect(analytics.total_leads).toBe(total)
  expect(sum(analytics.top_sources.map(({ count }) => count))).toBe(total)
  expect(sum(analytics.lead_flow.new)).toBe(total)
  expect(funnel.steps[0]?.reached).toBe(total)
  expect(sum(funnel.steps.map(({ here }) => here)) + funnel.lost.count).toBe(total)
  const won = list.stats.converted
  expect([analytics.conversions, sum(analytics.lead_flow.converted)]).toEqual([won, won])
  expect(funnel.steps.at(-1)?.here).toBe(won)
  expect(board.leaderboard[0]?.leadsConverted ?? 0).toBe(won)
  const conversion = conversionOf(won, total)
  expect(summary.conversionRate).toBe(conversion.conversion_rate)
  expect(analytics).toMatchObject(conversion)
  expect(funnel.conversion).toEqual(conversion)
  const me = team.team.find(({ id }) => id === workerId)
  expect(me?.leadsConverted ?? 0).toBe(won)
  expect(me?.leadsContacted ?? 0).toBe(board.leaderboard[0]?.leadsContacted ?? 0)
  const ofCampaigns = sum(analytics.conversion_by_campaign.map(({ total_leads }) => total_leads))
  expect(brought.stats.total_leads).toBe(ofCampaigns)
  expect(sum(shown.map((one) => one.total_leads))).toBe(ofCampaigns)
  return total
}

const passing = fc.uniqueArray(fc.constantFrom(...LeadStatus.options.filter((status) => status !== 'new')), {
  maxLength: 4,
})
const drawn = fc.record({
  days: fc.integer({ min: 2, max: 30 }),
  passing,
  place: fc.constantFrom(0, 1, 2),
  source: fc.constantFrom('website', 'event', 'facebook_lead_ad'),
})

it('P all lead counts agree, and a merge lowers them by one', async () => {
  let expected = await checkFigures()
  await fc.assert(
    fc.asyncProperty(drawn, drawn, async (a, b) => {
      const [kept, duplicate] = await Promise.all(
        [a, b].map(({ days, passing: way, place, source }) =>
          makeLead(server.db, {
            ...{ email: 'one@example.com', source, campaign_id: campaigns[place] ?? null, assignee_id: workerId },
            created_at: shift(server.clock.now(), -days * DAY),
            passed: way.map((status, index): StatusChange => ({ status, after: 3 + index * 6, workerId })),
          }),
        ),
      )
      if (!kept || !duplicate) throw new Error('Expected two leads.')
      expect(await checkFigures()).toBe(expected + 2)
      const params = { id: String(kept.id) }
      expect((await reader.send(mergeLeads, { params, body: { duplicateId: duplicate.id } })).status).toBe(200)
      expected += 1
      expect(await checkFigures()).toBe(expected)
    }),
    { numRuns: rounds(6, 25) },
  )
}, 120_000)

it('the time in a step ignores steps that a merge ended', async () => {
  const created_at = shift(server.clock.now(), -60 * DAY)
  const read = async () => {
    const { steps } = (await reader.send(readLeadFunnel, { query: { timeRange: '1y' } })).body
    return Object.fromEntries(steps.map(({ status, hours }) => [status, hours]))
  }
  await server.db.deleteFrom('lead_steps').execute()
  const far = await makeLead(server.db, { created_at, passed: [{ status: 'contacted', after: 4 }] })
  const near = await makeLead(server.db, {
    created_at: shift(created_at, HOUR),
    passed: [{ status: 'onboarding_started', after: 10 }],
  })
  expect(await read()).toMatchObject({ new: 7, onboarding_started: null })
  await reader.send(mergeLeads, { params: { id: String(near.id) }, body: { duplicateId: far.id } })
  expect(await read()).toMatchObject({ new: 7, onboarding_started: null, contacted: null })
})
