import { SUMMARY_DAYS } from '@limber/contract/growth/overview/figure.ts'
import {
  assignCampaign,
  listTeamCampaigns,
  readLeaderboard,
  readTeam,
  readTeamSummary,
} from '@limber/contract/growth/team/team.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { conversionOf } from '@limber/contract/marketing/leads/conversion.ts'
import { MINUTE, shift } from '#platform/clock.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { startOfDays } from '../figures/span.rules.ts'
import { canBeAssigned } from '../tasks/task.queries.ts'
import {
  addMember,
  findCampaign,
  findLeaders,
  findOpenCampaigns,
  findRecentWin,
  findTeam,
  removeMember,
  sumTeam,
} from './team.queries.ts'

/** Activity is recorded at most once a minute, so anyone seen this recently is online. */
const ONLINE_WINDOW = 5 * MINUTE

export const teamRoutes = [
  serve(readTeam, async ({ db, now }) => ({
    team: (await findTeam(db, shift(now, -ONLINE_WINDOW), companyDay(now))).map((row) => ({
      id: row.id,
      name: row.name,
      role: row.role,
      isPending: row.is_pending,
      online: row.is_signed_in,
      lastActive: row.last_active?.toISOString() ?? null,
      city: row.city,
      campaigns: row.campaigns,
      leadsContacted: row.contacted,
      leadsConverted: row.converted,
    })),
  })),

  serve(readLeaderboard, async ({ db }) => ({
    leaderboard: (await findLeaders(db)).map((row) => ({
      id: row.id,
      name: row.name,
      leadsContacted: row.contacted,
      leadsConverted: row.converted,
      topChannel: row.top_channel,
    })),
  })),

  serve(readTeamSummary, async ({ db, now }) => {
    const [sum, win] = await Promise.all([sumTeam(db, startOfDays(SUMMARY_DAYS, now)), findRecentWin(db)])
    return {
      conversionRate: conversionOf(sum.converted, sum.leads).conversion_rate,
      avgResponseTime: sum.minutes === null ? null : Math.round(sum.minutes * 10) / 10,
      campaigns: sum.campaigns,
      recentWin: win ? (win.worker ? `${win.lead}, by ${win.worker}` : win.lead) : null,
      recentWinAt: win?.at.toISOString() ?? null,
      recentWinLead: win?.id ?? null,
    }
  }),

  serve(listTeamCampaigns, async ({ db, now }) => ({ campaigns: await findOpenCampaigns(db, companyDay(now)) })),

  serve(assignCampaign, async ({ params: { id }, body: { workerId, isAssigned }, db, now, worker, audit, publish }) => {
    const before = await findCampaign(db, id, companyDay(now))
    if (!before) throw refuse(assignCampaign, 'not_found')
    const wasAssigned = before.members.some((member) => member.id === workerId)
    if (isAssigned && !wasAssigned) {
      if (before.status === 'completed') throw refuse(assignCampaign, 'completed')
      if (!(await canBeAssigned(db, workerId))) throw refuse(assignCampaign, 'no_member')
    }
    if (isAssigned !== wasAssigned) {
      if (isAssigned) await addMember(db, id, workerId, worker.workerId, now)
      else await removeMember(db, id, workerId)
      audit({
        action: isAssigned ? 'campaign_assigned' : 'campaign_taken_back',
        subject: 'campaign',
        subjectId: id,
        after: { workerId },
      })
      publish('growth', { campaign: id })
    }
    const after = await findCampaign(db, id, companyDay(now))
    if (!after) throw refuse(assignCampaign, 'not_found')
    return after
  }),
]
