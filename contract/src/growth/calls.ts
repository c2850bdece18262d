import { readCitySummary } from './map/city.ts'
import { readBasemap, readMap } from './map/map.ts'
import { exportFigureRows, listFigureRows } from './overview/figure.ts'
import { readHealthOverview, readHealthTrends } from './overview/health.ts'
import {
  changePartner,
  exportPartners,
  exportPastSessions,
  exportUpcomingSessions,
  listPartners,
  listPastSessions,
  listUpcomingSessions,
  notePartner,
  readPartner,
  sendOutreach,
} from './partners/partner.ts'
import { exportReferrals, listReferrals, readReferral, readReferrals, reviewReferral } from './referrals/referral.ts'
import { referralCalls } from './referrals/referral-sync.ts'
import { changeTask, createTask, exportTasks, listTaskAssignees, listTasks } from './tasks/task.ts'
import {
  assignCampaign,
  exportLeaderboard,
  exportTeam,
  listTeamCampaigns,
  readLeaderboard,
  readTeam,
  readTeamSummary,
} from './team/team.ts'

export const growthCalls = [
  ...Object.values(referralCalls),
  readMap,
  readBasemap,
  readCitySummary,
  readHealthOverview,
  readHealthTrends,
  exportTasks,
  listTasks,
  createTask,
  changeTask,
  listTaskAssignees,
  listFigureRows,
  exportFigureRows,
  readReferrals,
  exportReferrals,
  listReferrals,
  readReferral,
  reviewReferral,
  exportTeam,
  readTeam,
  exportLeaderboard,
  readLeaderboard,
  readTeamSummary,
  listTeamCampaigns,
  assignCampaign,
  exportPartners,
  listPartners,
  readPartner,
  changePartner,
  notePartner,
  exportUpcomingSessions,
  listUpcomingSessions,
  exportPastSessions,
  listPastSessions,
  sendOutreach,
]
