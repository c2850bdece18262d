import { assignCampaign } from '@limber/contract/growth/team/team.ts'
import {
  campaignFieldNames,
  campaignLabels,
  editCampaign,
  setCampaignStatus,
} from '@limber/contract/marketing/campaigns/campaign.ts'
import {
  adObjectiveLabels,
  campaignPhaseLabels,
  campaignSourceLabels,
} from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { sql } from 'kysely'
import { CHANGED, type HistoryField, numericId, type Opposite, type RecordHistory } from '#platform/audit/history.ts'

const shapes: Readonly<Record<string, Partial<HistoryField>>> = {
  source: { choiceLabels: campaignSourceLabels },
  start_date: { kind: 'day' },
  end_date: { kind: 'day' },
  budget: { kind: 'money' },
  meta_ad_objective: { choiceLabels: adObjectiveLabels },
}

const membering = (isAssigned: boolean): Opposite => ({
  call: assignCampaign,
  input: (id, { after }) => ({ params: { id }, body: { workerId: after.workerId, isAssigned } }),
  fits: ({ members }, { after }) => (members as number[]).includes(Number(after.workerId)) !== isAssigned,
})

export const campaignHistory: RecordHistory = {
  subject: 'campaign',
  async read(db, id) {
    const campaign = await db
      .selectFrom('campaigns')
      .select([...campaignFieldNames, 'status'])
      .select(
        sql<number[]>`array(select m.worker_id::int from campaign_members m where m.campaign_id = campaigns.id)`.as(
          'members',
        ),
      )
      .where('id', '=', numericId(id))
      .executeTakeFirst()
    return campaign && { name: campaign.name, values: campaign }
  },
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
    campaign_assigned: 'assigned the campaign to a member of the team',
    campaign_taken_back: 'took the campaign from a member of the team',
  },
  restores: [
    { call: editCampaign, fields: campaignFieldNames, input: (id, values) => ({ params: { id }, body: values }) },
    { call: setCampaignStatus, fields: ['status'], input: (id, { status }) => ({ params: { id }, body: { status } }) },
  ],
  opposites: { campaign_assigned: membering(false), campaign_taken_back: membering(true) },
}
