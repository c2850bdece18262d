import { campaignLabels } from '@limber/contract/marketing/campaigns/campaign.ts'
import {
  adObjectiveLabels,
  campaignPhaseLabels,
  campaignSourceLabels,
} from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { CHANGED, type HistoryField, numericId, type RecordHistory } from '#platform/audit/history.ts'

const shapes: Readonly<Record<string, Partial<HistoryField>>> = {
  source: { choiceLabels: campaignSourceLabels },
  start_date: { kind: 'day' },
  end_date: { kind: 'day' },
  budget: { kind: 'money' },
  meta_ad_objective: { choiceLabels: adObjectiveLabels },
}

export const campaignHistory: RecordHistory = {
  subject: 'campaign',
  read: (db, id) => db.selectFrom('campaigns').select('name').where('id', '=', numericId(id)).executeTakeFirst(),
  fields: [
    ...Object.entries(campaignLabels).map(([name, label]) => ({ name, label, ...shapes[name] })),
    { name: 'status', label: 'Status', choiceLabels: campaignPhaseLabels },
  ],
  actions: {
    campaign_created: 'created this campaign',
    campaign_edited: CHANGED,
    campaign_status: CHANGED,
    campaign_push_asked: 'sent the campaign to Meta again',
    campaign_pushed: 'updated the campaign on Meta',
  },
}
