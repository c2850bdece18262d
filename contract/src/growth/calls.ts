import { readCitySummary } from './map/city.ts'
import { readBasemap, readMap } from './map/map.ts'
import { exportFigureRows, listFigureRows } from './overview/figure.ts'
import { readHealthOverview, readHealthTrends } from './overview/health.ts'
import {
  changePartner,
  listPartners,
  listPastSessions,
  listUpcomingSessions,
  notePartner,
  readPartner,
  sendOutreach,
} from './partners/partner.ts'
import { listReferrals, readReferral, readReferrals, reviewReferral } from './referrals/referral.ts'
import { referralCalls } from './referrals/referral-sync.ts'
import { changeTask, createTask, listTaskAssignees, listTasks } from './tasks/task.ts'
import { assignCampaign, listTeamCampaigns, readLeaderboard, readTeam, readTeamSummary } from './team/team.ts'

export const growthCalls = [
  ...Object.values(referralCalls),
  readMap,
  readBasemap,
  readCitySummary,
  readHealthOverview,
  readHealthTrends,
  listTasks,
  createTask,
  changeTask,
  listTaskAssignees,
  listFigureRows,
  exportFigureRows,
  readReferrals,
  listReferrals,
  readReferral,
  reviewReferral,
  readTeam,
  readLeaderboard,
  readTeamSummary,
  listTeamCampaigns,
  assignCampaign,
  listPartners,
  readPartner,
  changePartner,
  notePartner,
  listUpcomingSessions,
  listPastSessions,
  sendOutreach,
]
