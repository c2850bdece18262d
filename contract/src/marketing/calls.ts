import {
  createCampaign,
  editCampaign,
  exportCampaigns,
  listAllCampaigns,
  listCampaigns,
  pushCampaign,
  readCampaign,
  readCampaignMedia,
  setCampaignStatus,
} from './campaigns/campaign.ts'
import {
  assignLead,
  convertLead,
  createLead,
  editLead,
  exportLeads,
  listLeadCampaigns,
  listLeads,
  listLeadWorkers,
  noteLead,
  readLead,
  setLeadStatus,
  undoConversion,
} from './leads/lead.ts'
import { readLeadAnalytics, readLeadFunnel } from './leads/lead-analytics.ts'
import { mergeLeads } from './leads/lead-merge.ts'
import { receiveMetaLeads, verifyMetaHook } from './meta/meta.ts'
import { leadCalls } from './sync/lead-sync.ts'

export const marketingCalls = [
  ...Object.values(leadCalls),
  exportLeads,
  listLeads,
  readLead,
  createLead,
  editLead,
  setLeadStatus,
  convertLead,
  undoConversion,
  noteLead,
  assignLead,
  mergeLeads,
  listLeadWorkers,
  listLeadCampaigns,
  readLeadAnalytics,
  readLeadFunnel,
  verifyMetaHook,
  receiveMetaLeads,
  exportCampaigns,
  listCampaigns,
  listAllCampaigns,
  readCampaign,
  createCampaign,
  editCampaign,
  setCampaignStatus,
  pushCampaign,
  readCampaignMedia,
]
