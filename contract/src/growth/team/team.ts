import { z } from 'zod'
import { type BodyOf, defineCall, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Id, IdText, Moment } from '#kit/values.ts'
import { CampaignPhase } from '#marketing/campaigns/campaign-values.ts'
import { Conversion } from '#marketing/leads/conversion.ts'

const Named = z.object({ id: Id, name: z.string() })

export const TeamMember = z.object({
  id: Id,
  name: z.string(),
  role: z.string().nullable(),
  /** Invited workers are in the roster until they accept. */
  isPending: z.boolean(),
  /** Seen within the last five minutes. */
  online: z.boolean(),
  lastActive: Moment.nullable(),
  /** The city of most of their tasks. */
  city: z.string().nullable(),
  /** Active campaigns assigned to them. */
  campaigns: z.array(Named),
  /** Leads they moved to Contacted. */
  leadsContacted: z.int(),
  /** Leads they converted that are still converted. */
  leadsConverted: z.int(),
})
export type TeamMember = z.infer<typeof TeamMember>

export const readTeam = defineCall({
  method: 'GET',
  path: '/api/marketing/team',
  summary: 'Workers in marketing and growth, with their assignments',
  permission: 'growth.tab',
  reply: z.object({ team: z.array(TeamMember) }),
})

export const exportTeam = exportCall(readTeam, 'team')

export const LeaderboardRow = z.object({
  id: Id,
  name: z.string(),
  leadsContacted: z.int(),
  leadsConverted: z.int(),
  /** The most common source of the leads they converted. */
  topChannel: z.string().nullable(),
})
export type LeaderboardRow = z.infer<typeof LeaderboardRow>

export const readLeaderboard = defineCall({
  method: 'GET',
  path: '/api/marketing/leaderboard',
  summary: 'Converted leads by worker, most first',
  permission: 'growth.tab',
  reply: z.object({ leaderboard: z.array(LeaderboardRow) }),
})

export const exportLeaderboard = exportCall(readLeaderboard, 'leaderboard')

export const readTeamSummary = defineCall({
  method: 'GET',
  path: '/api/marketing/summary',
  summary: 'Team results of the last 90 days',
  permission: 'growth.tab',
  reply: z.object({
    /** Of the leads received in these days, as in lead analytics. */
    conversionRate: Conversion.shape.conversion_rate,
    /** Minutes from a lead's arrival to the first response; null when no lead got one. */
    avgResponseTime: z.number().nullable(),
    /** Active or paused campaigns that are assigned to a team member. */
    campaigns: z.int(),
    /** The newest conversion as text. */
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
  summary: 'Active and paused campaigns, with their assignees',
  permission: 'growth.tab',
  reply: z.object({ campaigns: z.array(TeamCampaign) }),
})

export const assignCampaign = defineCall({
  method: 'POST',
  path: '/api/marketing/team/campaigns/:id/members',
  summary: 'Assign a campaign to a team member, or unassign it',
  permission: 'growth.tab',
  params: z.strictObject({ id: IdText }),
  body: z.strictObject({ workerId: Id, isAssigned: z.boolean().default(true) }),
  reply: TeamCampaign,
  refusals: {
    not_found: [404, 'This campaign does not exist.'],
    completed: [409, 'This campaign is completed. Select an active or paused one.'],
    no_member: [422, 'This worker is not in the marketing and growth team.'],
  },
})
export type AssignCampaign = BodyOf<typeof assignCampaign>
