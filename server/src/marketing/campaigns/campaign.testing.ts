import { createCampaign } from '@limber/contract/marketing/campaigns/campaign.ts'
import { type Part, sendForm } from '#platform/testing/testing.form.ts'
import type { TestCaller } from '#platform/testing/testing.ts'

/** The fields of a valid form. */
export const goodForm: Record<string, string> = {
  name: 'Winter stretch',
  source: 'facebook_lead_ad',
  start_date: '2026-11-20',
  end_date: '2026-12-20',
  budget: '25.50',
  ad_message: 'Looser by spring.',
  link_description: 'At your place',
  target_audience: JSON.stringify({
    geo_locations: { cities: [{ name: 'Riverside', country: 'US' }] },
    age_min: 25,
    age_max: 60,
    genders: [2],
    languages: [{ name: 'English' }],
    interests: [{ name: 'Stretching' }],
  }),
  goals: JSON.stringify([{ type: 'Leads', target: 80 }]),
  tagged_entities: JSON.stringify(['@limberstretch']),
  meta_ad_objective: 'LEAD_GENERATION',
  lead_form_fields: JSON.stringify(['full_name', 'email', 'phone_number']),
  custom_questions: JSON.stringify([
    { question: 'When works best for you?', type: 'MULTIPLE_CHOICE', options: ['Mornings', 'Evenings'] },
  ]),
}

/** Sends the form with overrides and files; an `undefined` field is left out. */
export const create = (
  caller: TestCaller,
  over: Record<string, string | undefined> = {},
  files: readonly Part[] = [],
  headers: Record<string, string> = {},
) => {
  const fields = Object.entries({ ...goodForm, ...over }).flatMap(([name, content]) =>
    content === undefined ? [] : [{ name, content }],
  )
  return sendForm(caller, createCampaign, [...fields, ...files], headers)
}
