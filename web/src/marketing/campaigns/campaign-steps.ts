import type { Problems } from '#ui/form/form-state.ts'

export const campaignSteps = ['audience', 'ad', 'budget', 'check'] as const
export type CampaignStep = (typeof campaignSteps)[number]

export const stepLabels: Record<CampaignStep, string> = {
  audience: 'Audience',
  ad: 'Ad',
  budget: 'Budget and dates',
  check: 'Check',
}

/** The fields of the later steps. All others are in the first one. */
const fields: Record<string, CampaignStep> = {
  ad_message: 'ad',
  link_description: 'ad',
  tags: 'ad',
  form_fields: 'ad',
  questions: 'ad',
  budget: 'budget',
  start_date: 'budget',
  end_date: 'budget',
  goals: 'budget',
  notes: 'budget',
}

/** The step that shows a field. */
export const stepOf = (field: string): CampaignStep => fields[field] ?? 'audience'

const labels: Record<string, string> = {
  name: 'Name',
  source: 'Source',
  start_date: 'Start date',
  budget: 'Daily budget',
  expected_users: 'Users',
}
export const fieldLabel = (field: string) => labels[field] ?? ''

export const problemsIn = (problems: Problems, step: CampaignStep): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([field]) => stepOf(field) === step))
