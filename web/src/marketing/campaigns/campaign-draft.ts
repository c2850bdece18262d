import { Expectation } from '@limber/contract/growth/campaigns/result.ts'
import { CityName } from '@limber/contract/growth/values.ts'
import {
  type CampaignDetail,
  campaignFields,
  type EditCampaign,
  type Lockable,
} from '@limber/contract/marketing/campaigns/campaign.ts'
import {
  type AudienceFault,
  audienceFault,
  audienceFaultTexts,
  Budget,
  CustomQuestions,
  DEFAULT_FORM_FIELDS,
  type Goal,
  type GoalType,
  MAX_AGE,
  type TargetAudience,
} from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { z } from 'zod'
import { type Problems, problemsOf, withoutBlanks } from '#ui/form/form-state.ts'

export const locationTypes = ['countries', 'regions', 'cities', 'radius'] as const

/** A goal while it is being edited. Empty values are not sent. */
export interface GoalRow {
  key: number
  type: GoalType
  target?: number | undefined
  custom?: string | undefined
}

const Expected = z.union([z.number(), z.string()]).optional()
const Fields = z.object({
  name: campaignFields.name,
  source: campaignFields.source,
  start_date: campaignFields.start_date,
  end_date: z.string().optional(),
  budget: z.string().optional(),
  ad_message: z.string().optional(),
  notes: z.string().optional(),
  link_description: z.string().optional(),
  location: z.enum(locationTypes),
  countries: z.array(z.string()),
  regions: z.string().optional(),
  cities: z.string().optional(),
  radius_city: z.string().optional(),
  radius: z.union([z.number(), z.string()]).optional(),
  age_min: z.union([z.number(), z.string()]).optional(),
  age_max: z.union([z.number(), z.string()]).optional(),
  gender: z.enum(['ALL', 'MALE', 'FEMALE']),
  languages: z.array(z.string()),
  interests: z.string().optional(),
  goals: z.array(z.custom<GoalRow>()),
  tags: z.array(z.string()),
  objective: campaignFields.meta_ad_objective,
  form_fields: z.array(z.string()),
  questions: z.string().optional(),
  city_name: CityName.or(z.literal('')).optional(),
  expected_users: Expected,
  expected_activeUsers: Expected,
  expected_sessions: Expected,
  expected_revenue: Expected,
})
export type Draft = z.input<typeof Fields>

export const emptyDraft: Partial<Draft> = {
  source: 'facebook_lead_ad',
  location: 'countries',
  countries: ['US'],
  age_min: 18,
  age_max: MAX_AGE,
  gender: 'ALL',
  languages: [],
  goals: [],
  tags: [],
  objective: 'LEAD_GENERATION',
  form_fields: [...DEFAULT_FORM_FIELDS],
}

/** A campaign for a zone or city, whose people it addresses. */
export const draftFor = (place: string): Partial<Draft> => ({
  ...emptyDraft,
  location: 'cities',
  cities: place,
  city_name: place,
})

const expectedOf = (draft: Draft) => ({
  users: Number(draft.expected_users || 0),
  activeUsers: Number(draft.expected_activeUsers || 0),
  sessions: Number(draft.expected_sessions || 0),
  revenue: Number(draft.expected_revenue || 0),
})

/** A campaign that is measured says what it is expected to change. */
function expectationFault(draft: Draft): string | undefined {
  if (!draft.city_name) return undefined
  const expected = expectedOf(draft)
  if (!Expectation.safeParse(expected).success) return 'must be a number'
  return Object.values(expected).some((value) => value !== 0) ? undefined : 'or another expected change is required'
}

/** Splits a comma-separated list. */
export const listOf = (text = '') =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
const named = (names: readonly string[]) => names.map((name) => ({ name }))
const genders = { ALL: [1, 2], MALE: [1], FEMALE: [2] } as const

/** The audience as it is sent. Regions and cities get the first selected country, or US. */
export function audienceOf(draft: Draft): TargetAudience {
  const country = draft.countries[0] ?? 'US'
  const places = (text: string | undefined) => listOf(text).map((name) => ({ name, country }))
  const radius = draft.radius === undefined || draft.radius === '' ? null : Number(draft.radius)
  const geo_locations = {
    countries: { countries: draft.countries },
    regions: { regions: places(draft.regions) },
    cities: { cities: places(draft.cities) },
    radius: {
      cities: [{ name: draft.radius_city?.trim() ?? '', country, radius, distance_unit: 'mile' as const }],
    },
  }[draft.location]
  return {
    geo_locations,
    age_min: Number(draft.age_min ?? Number.NaN),
    age_max: Number(draft.age_max ?? Number.NaN),
    genders: [...genders[draft.gender]],
    languages: named(draft.languages),
    interests: named(listOf(draft.interests)),
  }
}

/** The first fault of the custom questions; undefined if they are valid or empty. */
export function questionsFault(text: string | undefined): string | undefined {
  if (!text?.trim()) return undefined
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (error) {
    return `Invalid custom_questions JSON: ${error instanceof Error ? error.message : ''}`
  }
  const issue = CustomQuestions.safeParse(read).error?.issues[0]
  if (!issue) return undefined
  const [place, part] = issue.path
  if (place === undefined)
    return Array.isArray(read) ? `The list ${issue.message}.` : 'Custom questions must be a JSON list.'
  const question = `Question ${Number(place) + 1}`
  return part === 'question'
    ? `${question} must have 1 to 200 characters.`
    : `${question} is not valid. Check its type and options.`
}

const fieldOf: Record<AudienceFault, string> = {
  bad_age: 'age_max',
  no_country: 'countries',
  no_region: 'regions',
  no_city: 'cities',
  no_radius: 'radius',
}

const isGoal = ({ type, target, custom }: GoalRow) => (type === 'Custom' ? Boolean(custom?.trim()) : Boolean(target))

interface Fault {
  field: string
  text: string
}

/** The faults in the order of the specification, each with the field that shows it. */
export function faultsOf(draft: Draft): Fault[] {
  const audience = audienceFault(audienceOf(draft))
  const asked = hasForm(draft) ? questionsFault(draft.questions) : undefined
  const unclear = expectationFault(draft)
  const isBudgetBad = draft.budget && !Budget.safeParse(draft.budget).success
  const endsBefore = draft.end_date && draft.end_date < draft.start_date
  return [
    audience && { field: fieldOf[audience], text: audienceFaultTexts[audience] },
    asked && { field: 'questions', text: asked },
    unclear && { field: 'expected_users', text: unclear },
    isBudgetBad && { field: 'budget', text: 'must be an amount such as 25.50' },
    endsBefore && { field: 'end_date', text: 'The end date must be on or after the start date.' },
    !draft.goals.every(isGoal) && {
      field: 'goals',
      text: 'Every goal needs a target, or a description if it is Custom.',
    },
  ].filter((fault) => typeof fault === 'object')
}

export const DraftSchema = Fields.superRefine((draft, context) => {
  for (const { field, text } of faultsOf(draft)) context.addIssue({ code: 'custom', path: [field], message: text })
})

/** All problems of a draft by field: what is missing, and the faults. */
export function draftProblems(draft: Partial<Draft>): Problems {
  const values = withoutBlanks(draft)
  const missing = Fields.safeParse(values).error
  const faults = faultsOf(values as Draft).map(({ field, text }) => [field, text])
  return { ...Object.fromEntries(faults), ...(missing && problemsOf(missing, values)) }
}

export const isAd = ({ source }: Pick<Draft, 'source'>) => source === 'facebook_lead_ad'
export const hasForm = (draft: Pick<Draft, 'source' | 'objective'>) =>
  isAd(draft) && draft.objective === 'LEAD_GENERATION'

const goalsOf = (rows: readonly GoalRow[]): Goal[] =>
  rows.map(({ type, target, custom }) =>
    type === 'Custom' ? { type, custom: custom?.trim() ?? '' } : { type, ...(target && { target }) },
  )

/** The fields of a campaign as they are sent. */
const fieldsOf = (draft: Draft): EditCampaign => ({
  name: draft.name,
  source: draft.source,
  start_date: draft.start_date,
  end_date: draft.end_date || null,
  budget: draft.budget || null,
  ad_message: draft.ad_message || null,
  notes: draft.notes || null,
  target_audience: audienceOf(draft),
  goals: goalsOf(draft.goals),
  ...(isAd(draft) && {
    link_description: draft.link_description || null,
    meta_ad_objective: draft.objective,
    tagged_entities: draft.tags,
  }),
  ...(hasForm(draft) && {
    lead_form_fields: draft.form_fields as NonNullable<EditCampaign['lead_form_fields']>,
    custom_questions: (draft.questions?.trim() ? JSON.parse(draft.questions) : []) as NonNullable<
      EditCampaign['custom_questions']
    >,
  }),
})

/** The form that creates a campaign. Questions are sent as typed, so that the server reports JSON errors. */
export const formOf = (draft: Draft, media: readonly File[]): Record<string, unknown> => ({
  ...fieldsOf(draft),
  ...(hasForm(draft) && { custom_questions: draft.questions }),
  ...(draft.city_name && { city_name: draft.city_name, expected: expectedOf(draft) }),
  ...Object.fromEntries(media.map((file, place) => [`media${place}`, file])),
})

/** The changes of an edited campaign, without fields that are locked on Meta. */
export function editOf(draft: Draft, locked: readonly Lockable[]): EditCampaign {
  const fields = fieldsOf(draft)
  for (const name of locked) delete fields[name]
  return fields
}

/** A draft that was kept on this device. Values that are unfinished or of an older version are left out. */
export function storedDraft(text: string): Partial<Draft> {
  const stored = z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  const usable = Object.entries(Fields.shape).filter(
    ([name, schema]) => stored[name] !== undefined && schema.safeParse(stored[name]).success,
  )
  const draft: Partial<Draft> = { ...emptyDraft, ...Object.fromEntries(usable.map(([name]) => [name, stored[name]])) }
  return { ...draft, goals: (draft.goals ?? []).map((goal) => ({ ...goal, key: ++lastKey })) }
}

let lastKey = 0
export const newGoal = (): GoalRow => ({ key: ++lastKey, type: 'Leads' })

/** The form values of a campaign. */
export function draftOf(campaign: CampaignDetail): Draft {
  const { geo_locations: geo, genders: chosen, ...audience } = campaign.target_audience
  const around = geo.cities?.find(({ radius }) => typeof radius === 'number')
  const location = around ? 'radius' : geo.cities ? 'cities' : geo.regions ? 'regions' : 'countries'
  const country = geo.cities?.[0]?.country ?? geo.regions?.[0]?.country
  const namesOf = (all: readonly { name: string }[] = []) => all.map(({ name }) => name).join(', ')
  const [only] = chosen
  const objective = campaign.meta_ad_objective ?? 'LEAD_GENERATION'
  const hadForm = hasForm({ source: campaign.source, objective })
  return {
    name: campaign.name,
    source: campaign.source,
    start_date: campaign.start_date,
    ...(campaign.end_date && { end_date: campaign.end_date }),
    ...(campaign.budget && { budget: campaign.budget }),
    ...(campaign.ad_message && { ad_message: campaign.ad_message }),
    ...(campaign.notes && { notes: campaign.notes }),
    ...(campaign.link_description && { link_description: campaign.link_description }),
    location,
    countries: geo.countries ?? (country ? [country] : []),
    ...(geo.regions && { regions: namesOf(geo.regions) }),
    ...(location === 'cities' && { cities: namesOf(geo.cities) }),
    ...(around && { radius_city: around.name, radius: around.radius ?? 1 }),
    age_min: audience.age_min,
    age_max: audience.age_max,
    gender: chosen.length !== 1 ? 'ALL' : only === 1 ? 'MALE' : 'FEMALE',
    languages: audience.languages.map(({ name }) => name),
    ...(audience.interests.length > 0 && { interests: namesOf(audience.interests) }),
    goals: campaign.goals.map((goal) => ({ key: ++lastKey, ...goal })),
    tags: campaign.tagged_entities,
    objective,
    // A campaign without a form starts with the default fields.
    form_fields: hadForm ? campaign.lead_form_fields : [...DEFAULT_FORM_FIELDS],
    ...(campaign.custom_questions.length > 0 && { questions: JSON.stringify(campaign.custom_questions, null, 2) }),
  }
}
