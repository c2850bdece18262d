import { z } from 'zod'
import { Text } from '#kit/values.ts'

/** The status that staff set. */
export const CampaignStatus = z.enum(['active', 'paused', 'completed'])
export type CampaignStatus = z.infer<typeof CampaignStatus>

/** The status that people see: an active campaign counts as scheduled until its start date. */
export const CampaignPhase = z.enum(['active', 'scheduled', 'paused', 'completed'])
export type CampaignPhase = z.infer<typeof CampaignPhase>

/** The phase on a given day, in the company's time zone. */
export const campaignPhase = ({ status, start_date }: { status: CampaignStatus; start_date: string }, today: string) =>
  status === 'active' && start_date > today ? 'scheduled' : status

export const campaignPhaseLabels: Record<CampaignPhase, string> = {
  active: 'Active',
  scheduled: 'Scheduled',
  paused: 'Paused',
  completed: 'Completed',
}

export const CampaignSource = z.enum(['facebook_lead_ad', 'email', 'google_ads', 'manual'])
export type CampaignSource = z.infer<typeof CampaignSource>

export const campaignSourceLabels: Record<CampaignSource, string> = {
  facebook_lead_ad: 'Facebook lead ad',
  email: 'Email',
  google_ads: 'Google Ads',
  manual: 'Manual',
}

export const AdObjective = z.enum(['LEAD_GENERATION', 'TRAFFIC', 'CONVERSIONS', 'APP_INSTALLS'])
export type AdObjective = z.infer<typeof AdObjective>

export const adObjectiveLabels: Record<AdObjective, string> = {
  LEAD_GENERATION: 'Lead generation',
  TRAFFIC: 'Traffic',
  CONVERSIONS: 'Conversions',
  APP_INSTALLS: 'App installs',
}

export const LeadFormField = z.enum([
  'full_name',
  'email',
  'phone_number',
  'date_of_birth',
  'gender',
  'city',
  'state',
  'zip',
  'country',
  'address',
  'company_name',
  'job_title',
  'work_email',
  'work_phone',
])
export type LeadFormField = z.infer<typeof LeadFormField>

/** The fields of a new lead form. */
export const DEFAULT_FORM_FIELDS: readonly LeadFormField[] = ['full_name', 'email']

export const countries = ['US', 'CA', 'UK', 'AU'] as const
export const languages = ['English', 'Spanish', 'French'] as const

/** Meta's age limits for an audience. */
export const MIN_AGE = 13
export const MAX_AGE = 65
/** Meta accepts at most this many custom questions per form. */
export const MAX_QUESTIONS = 15

const Country = z
  .string()
  .trim()
  .regex(/^[A-Z]{2}$/, 'must be a two-letter country code such as US')
const Named = z.strictObject({ name: Text(120) })
const Place = Named.extend({ country: Country.default('US') })

/** Name and radius may be empty here: `audienceFault` checks them, with the texts of the specification. */
const City = z.strictObject({
  name: z.string().trim().max(120),
  country: Country.default('US'),
  radius: z.number().max(10_000).nullish(),
  distance_unit: z.literal('mile').optional(),
})

export const TargetAudience = z.strictObject({
  geo_locations: z
    .strictObject({
      countries: z.array(Country).max(50).optional(),
      regions: z.array(Place).max(200).optional(),
      cities: z.array(City).max(200).optional(),
    })
    .default({ countries: ['US'] }),
  age_min: z.number().default(18),
  age_max: z.number().default(MAX_AGE),
  /** 1 male, 2 female. */
  genders: z
    .array(z.union([z.literal(1), z.literal(2)]))
    .max(2)
    .default([1, 2]),
  languages: z.array(Named).max(20).default([]),
  interests: z.array(Named).max(50).default([]),
  location_types: z.array(z.string().max(30)).max(5).optional(),
})
export type TargetAudience = z.output<typeof TargetAudience>

export const audienceFaultTexts = {
  bad_age: 'Invalid age range (13-65)',
  no_country: 'Select at least one country',
  no_region: 'Enter at least one region',
  no_city: 'Enter at least one city',
  no_radius: 'Enter a city and radius',
} as const
export type AudienceFault = keyof typeof audienceFaultTexts

/** The first fault of an audience: age first, then location. */
export function audienceFault({ age_min, age_max, geo_locations }: TargetAudience): AudienceFault | undefined {
  const areYears = Number.isInteger(age_min) && Number.isInteger(age_max)
  if (!areYears || age_min < MIN_AGE || age_max > MAX_AGE || age_min > age_max) return 'bad_age'
  const { countries: chosen, regions, cities } = geo_locations
  if (chosen ? chosen.length === 0 : !regions && !cities) return 'no_country'
  if (regions?.length === 0) return 'no_region'
  const around = cities?.filter((city) => 'radius' in city) ?? []
  if (cities && around.length === 0 && !cities.some(({ name }) => name !== '')) return 'no_city'
  if (around.some(({ name, radius }) => name === '' || !radius || radius < 1)) return 'no_radius'
  return cities?.some(({ name }) => name === '') ? 'no_city' : undefined
}

export const GoalType = z.enum(['Leads', 'Conversions', 'Impressions', 'Custom'])
export type GoalType = z.infer<typeof GoalType>

/** A target number, or a description for a custom goal. */
export const Goal = z
  .strictObject({
    type: GoalType,
    target: z.int().positive().max(1_000_000_000).optional(),
    custom: Text(200).optional(),
  })
  .refine(({ type, target, custom }) => (type === 'Custom' ? custom !== undefined : target !== undefined), {
    message: 'needs a target, or a description if it is Custom',
  })
export type Goal = z.infer<typeof Goal>

export const CustomQuestion = z.strictObject({
  question: Text(200),
  type: z.string().trim().min(1).max(50).default('SHORT_ANSWER'),
  options: z.array(Text(100)).max(30).default([]),
})
export type CustomQuestion = z.output<typeof CustomQuestion>

export const CustomQuestions = z
  .array(CustomQuestion)
  .max(MAX_QUESTIONS, `must have at most ${MAX_QUESTIONS} questions`)

/** An account name on a social network, starting with '@'. */
export const Tag = z
  .string()
  .trim()
  .regex(/^@\S{1,99}$/, "must start with '@' and contain no spaces")

/** Dollars per day, with up to two decimals. */
export const Budget = z.string().regex(/^\d{1,9}(\.\d{1,2})?$/, 'must be an amount such as 25.50')
