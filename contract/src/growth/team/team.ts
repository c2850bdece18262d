import { z } from 'zod'
import { type BodyOf, defineCall, type ReplyOf } from '#kit/call.ts'
import { Id, IdText, Moment } from '#kit/values.ts'
import { CampaignPhase } from '#marketing/campaigns/campaign-values.ts'
import { Conversion } from '#marketing/leads/conversion.ts'

const Named = z.object({ id: Id, name: z.string() })

export const TeamMember = z.object({
  id: Id,
  name: z.string(),
  role: z.string().nullable(),
  /** Invited workers stand in the roster until they come. */
  isPending: z.boolean(),
  /** Seen within the last five minutes. */
  online: z.boolean(),
  lastActive: Moment.nullable(),
  /** The city that most of their tasks are about. */
  city: z.string().nullable(),
  /** Active campaigns that they look after. */
  campaigns: z.array(Named),
  /** Leads whom they moved to Contacted. */
  leadsContacted: z.int(),
  /** Leads whom they converted and who still are. */
  leadsConverted: z.int(),
})
export type TeamMember = z.infer<typeof TeamMember>

export const readTeam = defineCall({
  method: 'GET',
  path: '/api/marketing/team',
  summary: 'Workers of marketing and growth, with what they look after',
  permission: 'growth.tab',
  reply: z.object({ team: z.array(TeamMember) }),
})
export type Team = ReplyOf<typeof readTeam>

export const LeaderboardRow = z.object({
  id: Id,
  name: z.string(),
  leadsContacted: z.int(),
  leadsConverted: z.int(),
  /** The source of most leads that they converted. */
  topChannel: z.string().nullable(),
})
export type LeaderboardRow = z.infer<typeof LeaderboardRow>

export const readLeaderboard = defineCall({
  method: 'GET',
  path: '/api/marketing/leaderboard',
  summary: 'Who won over how many leads, the most first',
  permission: 'growth.tab',
  reply: z.object({ leaderboard: z.array(LeaderboardRow) }),
})

export const SUMMARY_DAYS = 90

export const readTeamSummary = defineCall({
  method: 'GET',
  path: '/api/marketing/summary',
  summary: 'How the team did in the last 90 days',
  permission: 'growth.tab',
  reply: z.object({
    /** Of the leads that came in these days, as everywhere. */
    conversionRate: Conversion.shape.conversion_rate,
    /** Minutes from a lead's arrival to the first response; nothing when none was answered. */
    avgResponseTime: z.number().nullable(),
    /** Active or paused campaigns that somebody of the team looks after. */
    campaigns: z.int(),
    /** The newest conversion, in words. */
    recentWin: z.string().nullable(),
    recentWinAt: Moment.nullable(),
    recentWinLead: Id.nullable(),
  }),
})
export type TeamSummary = ReplyOf<typeof readTeamSummary>

export const TeamCampaign = z.object({
  id: Id,
  name: z.string(),
  status: CampaignPhase,
  members: z.array(Named),
})
export type TeamCampaign = z.infer<typeof TeamCampaign>

export const listTeamCampaigns = defineCall({
  method: 'GET',
  path: '/api/marketing/team/campaigns',
  summary: 'Campaigns that run or rest, with who looks after them',
  permission: 'growth.tab',
  reply: z.object({ campaigns: z.array(TeamCampaign) }),
})

export const assignCampaign = defineCall({
  method: 'POST',
  path: '/api/marketing/team/campaigns/:id/members',
  summary: 'Give a campaign to a member of the team, or take it back',
  permission: 'growth.tab',
  params: z.strictObject({ id: IdText }),
  body: z.strictObject({ workerId: Id, isAssigned: z.boolean().default(true) }),
  reply: TeamCampaign,
  refusals: {
    not_found: [404, 'This campaign does not exist.'],
    completed: [409, 'This campaign is completed. Give away one that runs or rests.'],
    no_member: [422, 'This worker is not in the marketing and growth team.'],
  },
})
export type AssignCampaign = BodyOf<typeof assignCampaign>
