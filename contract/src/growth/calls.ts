import { readCitySummary } from './city.ts'
import { exportFigureRows, listFigureRows } from './figure.ts'
import { readHealthOverview, readHealthTrends } from './health.ts'
import { readBasemap, readMap } from './map.ts'
import {
  changePartner,
  listPartners,
  listPastSessions,
  listUpcomingSessions,
  notePartner,
  readPartner,
  sendOutreach,
} from './partner.ts'
import { listReferrals, readReferral, readReferrals, reviewReferral } from './referral.ts'
import { changeTask, createTask, listTaskAssignees, listTasks } from './task.ts'
import { assignCampaign, listTeamCampaigns, readLeaderboard, readTeam, readTeamSummary } from './team.ts'

export const growthCalls = [
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
