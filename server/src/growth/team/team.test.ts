import {
  assignCampaign,
  listTeamCampaigns,
  readLeaderboard,
  readTeam,
  readTeamSummary,
} from '@limber/contract/growth/team/team.ts'
import { readLeadAnalytics } from '@limber/contract/marketing/leads/lead-analytics.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorker } from '#access/workers/worker.factory.ts'
import { makeCampaign, makeLead } from '#marketing/leads/lead.factory.ts'
import { DAY, HOUR, MINUTE, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeTask } from '../tasks/task.factory.ts'

let server: TestServer
let caller: TestCaller
let now: Date
const assign = (id: number, body: object, by = caller) =>
  by.send(assignCampaign, { params: { id: String(id) }, body: body as never })
const member = async (id: number) => (await caller.send(readTeam)).body.team.find((one) => one.id === id)

beforeAll(async () => {
  server = await startTestServer()
  now = server.clock.now()
  caller = server.as('growth.tab')
})
afterAll(() => server.stop())

describe('GET /api/marketing/summary', () => {
  it('returns empty figures for a company without leads', async () => {
    expect((await caller.send(readTeamSummary)).body).toEqual({
      conversionRate: 0,
      avgResponseTime: null,
      campaigns: 0,
      recentWin: null,
      recentWinAt: null,
      recentWinLead: null,
    })
    expect((await caller.send(readLeaderboard)).body.leaderboard).toEqual([])
  })

  it('returns the conversion rate, response time, assigned campaigns and newest win', async () => {
    const winner = await makeWorker(server.db, { name: 'Wanda Prize', role: 'Growth' })
    const created_at = shift(now, -5 * DAY)
    const lead = await makeLead(server.db, {
      first_name: 'Lena',
      last_name: 'Ortiz',
      source: 'event',
      created_at,
      passed: [
        { status: 'contacted', after: 1, workerId: winner.id },
        { status: 'converted', after: 30, workerId: winner.id },
      ],
    })
    await makeLead(server.db, { created_at, passed: [{ status: 'contacted', after: 3, workerId: winner.id }] })
    await makeLead(server.db, { created_at })
    await makeLead(server.db, { created_at: shift(now, -200 * DAY) })
    expect((await caller.send(readTeamSummary)).body).toMatchObject({
      conversionRate: (1 / 3) * 100,
      avgResponseTime: 120,
      recentWin: 'Lena Ortiz, by Wanda Prize',
      recentWinLead: lead.id,
    })
    const { leaderboard } = (await caller.send(readLeaderboard)).body
    expect(leaderboard[0]).toEqual({
      id: winner.id,
      name: 'Wanda Prize',
      leadsContacted: 2,
      leadsConverted: 1,
      topChannel: 'event',
    })
  })

  it('returns the same rate as lead analytics: 90 company days including today', async () => {
    const rates = async () => {
      const { conversionRate } = (await caller.send(readTeamSummary)).body
      const { body } = await caller.send(readLeadAnalytics, { query: { timeRange: '90d' } })
      return [conversionRate, body.conversion_rate]
    }
    const [first] = await rates()
    // It is 9 AM: within 90 times 24 hours, but on the day before the first one.
    await makeLead(server.db, { created_at: shift(now, -89 * DAY - 12 * HOUR) })
    expect(await rates()).toEqual([first, first])
  })

  it('sorts the leaderboard by conversions', async () => {
    const ace = await makeWorker(server.db, { name: 'Ace', role: 'Marketing' })
    for (let n = 0; n < 2; n++)
      await makeLead(server.db, {
        created_at: shift(now, -9 * DAY),
        passed: [{ status: 'converted', after: 2, workerId: ace.id }],
      })
    // A conversion that was undone does not count.
    await makeLead(server.db, {
      created_at: shift(now, -9 * DAY),
      passed: [
        { status: 'converted', after: 2, workerId: ace.id },
        { status: 'contacted', after: 3, workerId: ace.id },
      ],
    })
    const { leaderboard } = (await caller.send(readLeaderboard)).body
    expect(leaderboard.map(({ name, leadsConverted }) => [name, leadsConverted])).toEqual([
      ['Ace', 2],
      ['Wanda Prize', 1],
    ])
  })
})

describe('GET /api/marketing/team', () => {
  it('shows who is online, who was active, and the city of most of their tasks', async () => {
    const { id, sessionId } = await server.signIn(['growth.tab'], { name: 'Iris Bell' })
    await makeTask(server.db, { assignee_id: id, city_name: 'Hemet' })
    await makeTask(server.db, { assignee_id: id, city_name: 'Perris' })
    await makeTask(server.db, { assignee_id: id, city_name: 'Hemet' })
    expect(await member(id)).toMatchObject({ name: 'Iris Bell', online: true, city: 'Hemet', isPending: false })
    const lastSeen = shift(now, -6 * MINUTE)
    await server.db.updateTable('sessions').set({ last_seen_at: lastSeen }).where('id', '=', sessionId).execute()
    expect(await member(id)).toMatchObject({ online: false, lastActive: lastSeen.toISOString() })
  })

  it('includes invited workers, and leaves out workers without the growth permission and former workers', async () => {
    const invited = await makeWorker(server.db, { role: 'Growth', status: 'invited' })
    const support = await makeWorker(server.db, { role: 'Support Agent' })
    const left = await makeWorker(server.db, { role: 'Growth', status: 'disabled' })
    expect(await member(invited.id)).toMatchObject({ isPending: true, lastActive: null, online: false })
    expect(await member(support.id)).toBeUndefined()
    expect(await member(left.id)).toBeUndefined()
  })

  it('refuses callers without permission', async () => {
    for (const call of [readTeam, readLeaderboard, readTeamSummary, listTeamCampaigns])
      expect((await server.as('support.tab').send(call)).status).toBe(403)
  })
})

describe('POST /api/marketing/team/campaigns/:id/members', () => {
  it('assigns a campaign once, unassigns it, and audits both', async () => {
    const worker = await makeWorker(server.db, { name: 'Milo Tan', role: 'Marketing' })
    const campaign = await makeCampaign(server.db, { name: 'Desert spring' })
    const given = await assign(campaign.id, { workerId: worker.id })
    expect(given.body.members).toEqual([{ id: worker.id, name: 'Milo Tan' }])
    await assign(campaign.id, { workerId: worker.id })
    expect((await member(worker.id))?.campaigns).toEqual([{ id: campaign.id, name: 'Desert spring' }])
    expect((await caller.send(readTeamSummary)).body.campaigns).toBe(1)
    const back = await assign(campaign.id, { workerId: worker.id, isAssigned: false })
    expect(back.body.members).toEqual([])
    const audit = await server.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', 'campaign')
      .where('subject_id', '=', String(campaign.id))
      .orderBy('id')
      .execute()
    expect(audit.map(({ action }) => action)).toEqual(['campaign_assigned', 'campaign_taken_back'])
    const { campaigns } = (await caller.send(listTeamCampaigns)).body
    expect(campaigns.map(({ name }) => name)).toContain('Desert spring')
  })

  it('refuses completed campaigns, workers outside the team, unknown ids and callers without permission', async () => {
    const worker = await makeWorker(server.db, { role: 'Marketing' })
    const done = await makeCampaign(server.db, { status: 'completed' })
    const open = await makeCampaign(server.db)
    const outsider = await makeWorker(server.db, { role: 'Support Agent' })
    expect((await assign(done.id, { workerId: worker.id })).status).toBe(409)
    expect((await assign(open.id, { workerId: outsider.id })).status).toBe(422)
    expect((await assign(999_999, { workerId: worker.id })).status).toBe(404)
    expect((await assign(open.id, { workerId: 'x' })).status).toBe(400)
    expect((await assign(open.id, { workerId: worker.id }, server.as('support.tab'))).status).toBe(403)
    const { campaigns } = (await caller.send(listTeamCampaigns)).body
    expect(campaigns.map(({ id }) => id)).not.toContain(done.id)
  })
})
