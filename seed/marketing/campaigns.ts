import { companyZone } from '@limber/contract/kit/company.ts'
import { dayIn } from '@limber/contract/kit/zone-time.ts'
import type { SeedContext } from '../seeder.ts'

type Source = 'facebook_lead_ad' | 'email' | 'google_ads' | 'manual'

interface Plan {
  name: string
  source: Source
  /** Days from today. A campaign without an end is still running. */
  from: number
  to: number | null
  budget: number
  /** How many leads it brings, and how well they convert. */
  pull: number
  quality: number
  status?: 'paused'
  message: string
  tags?: readonly string[]
  /** The zone or city that it is measured in, and what was expected there by day 90. */
  place?: { city: string; users: number; activeUsers: number; sessions: number; revenue: number }
  goal?: { type: 'Leads' | 'Conversions' | 'Impressions'; target: number }
}

const plans: readonly Plan[] = [
  {
    name: 'New Year, looser you',
    source: 'facebook_lead_ad',
    from: -352,
    to: -300,
    budget: 45,
    pull: 1.6,
    quality: 1,
    message: 'Start the year without a stiff neck. Your first session is half price.',
    tags: ['@limberstretch', '@rivparks'],
    goal: { type: 'Leads', target: 120 },
  },
  {
    name: 'Desk workers, Riverside',
    source: 'google_ads',
    from: -335,
    to: -240,
    budget: 22.5,
    pull: 0.9,
    quality: 1.2,
    message: 'Eight hours at a desk? One hour on the table.',
    place: { city: 'Riverside', users: 60, activeUsers: 40, sessions: 80, revenue: 6000 },
    goal: { type: 'Conversions', target: 30 },
  },
  {
    name: 'Spring marathon',
    source: 'facebook_lead_ad',
    from: -268,
    to: -225,
    budget: 38,
    pull: 1.3,
    quality: 0.9,
    message: 'Recover from the long run with a stretcher who knows runners.',
    tags: ['@inlandrunners'],
    goal: { type: 'Leads', target: 90 },
  },
  {
    name: 'Refer a friend',
    source: 'email',
    from: -250,
    to: null,
    budget: 0,
    pull: 0.5,
    quality: 1.9,
    message: 'Bring a friend and you both get a session on us.',
  },
  {
    name: "Mother's Day gift cards",
    source: 'facebook_lead_ad',
    from: -205,
    to: -185,
    budget: 60,
    pull: 1.8,
    quality: 0.7,
    message: 'Give her an hour to unwind. Email a gift card in a minute.',
    tags: ['@limberstretch'],
    goal: { type: 'Leads', target: 80 },
  },
  {
    name: 'Inland Empire golfers',
    source: 'google_ads',
    from: -190,
    to: -95,
    budget: 18,
    pull: 0.6,
    quality: 1.1,
    message: 'Ten more yards start in your hips.',
  },
  {
    name: 'Redlands market booth',
    source: 'manual',
    from: -170,
    to: -150,
    budget: 0,
    pull: 0.7,
    quality: 1.3,
    message: 'Cards collected at the Thursday market.',
    place: { city: 'Redlands', users: 12, activeUsers: 8, sessions: 20, revenue: 1500 },
  },
  {
    name: 'Summer teams',
    source: 'email',
    from: -150,
    to: -105,
    budget: 12,
    pull: 0.6,
    quality: 0.8,
    message: 'On-site sessions for teams that work through the summer.',
  },
  {
    name: 'Back to school, back to yourself',
    source: 'facebook_lead_ad',
    from: -98,
    to: -68,
    budget: 42,
    pull: 1.5,
    quality: 1,
    message: 'The kids are back in school. Take an hour for yourself.',
    tags: ['@limberstretch', '@ievalleymoms'],
    goal: { type: 'Leads', target: 100 },
  },
  {
    name: 'UC Riverside students',
    source: 'facebook_lead_ad',
    from: -75,
    to: -20,
    budget: 20,
    pull: 0.9,
    quality: 0.6,
    message: 'Student prices all week, between classes.',
    place: { city: 'Riverside', users: 45, activeUsers: 30, sessions: 60, revenue: 2400 },
    tags: ['@ucr'],
  },
  {
    name: 'Win back: inactive for 3 months',
    source: 'email',
    from: -60,
    to: -30,
    budget: 0,
    pull: 0.5,
    quality: 1.5,
    message: 'It has been a while. Your stretcher has new openings.',
  },
  {
    name: 'Sports recovery search',
    source: 'google_ads',
    from: -55,
    to: null,
    budget: 27.5,
    pull: 1,
    quality: 1.2,
    message: 'Assisted stretching near you, by trained stretchers.',
    goal: { type: 'Conversions', target: 40 },
  },
  {
    name: 'Desert cities preview',
    source: 'facebook_lead_ad',
    from: -34,
    to: null,
    budget: 30,
    pull: 0.8,
    quality: 0.7,
    status: 'paused',
    message: 'We are coming to the desert cities. Be the first to know.',
    tags: ['@limberstretch'],
  },
  {
    name: 'Thanksgiving unwind',
    source: 'facebook_lead_ad',
    from: -16,
    to: null,
    budget: 50,
    pull: 1.7,
    quality: 1,
    message: 'After the drive, before the turkey: an hour for your back.',
    tags: ['@limberstretch'],
    goal: { type: 'Leads', target: 150 },
  },
]

/** A campaign as the leads need it: when it ran, and how many leads of which quality it brought. */
export interface RunningCampaign {
  id: number
  source: Source
  from: number
  to: number
  pull: number
  quality: number
}

const audience = {
  geo_locations: { cities: ['Riverside', 'Redlands', 'Corona'].map((name) => ({ name, country: 'US' })) },
  age_min: 24,
  age_max: 60,
  genders: [1, 2],
  languages: [{ name: 'English' }, { name: 'Spanish' }],
  interests: [{ name: 'Stretching' }, { name: 'Recovery' }, { name: 'Wellness' }],
}

/** Fourteen campaigns over a year. */
export async function seedCampaigns(context: SeedContext, staff: readonly number[]): Promise<RunningCampaign[]> {
  const random = context.random('marketing/campaigns')
  const { calendar } = context
  const dayOf = (day: number) => dayIn(companyZone(), calendar.at(day, 12 * 60))
  const rows = plans.map((plan, index) => {
    const created_at = calendar.at(plan.from - 2, 600 + index * 7)
    const isAd = plan.source === 'facebook_lead_ad'
    const hasEnded = plan.to !== null
    return {
      id: index + 1,
      name: plan.name,
      status: plan.status ?? (hasEnded ? 'completed' : 'active'),
      source: plan.source,
      budget: plan.budget === 0 ? null : plan.budget.toFixed(4),
      start_date: dayOf(plan.from),
      end_date: plan.to === null ? null : dayOf(plan.to),
      ad_message: plan.message,
      target_audience: JSON.stringify(isAd ? audience : {}),
      goals: JSON.stringify(plan.goal ? [plan.goal] : []),
      notes: random.chance(0.4) ? 'Same images as last time, new copy.' : null,
      link_description: isAd ? 'Assisted stretching at home' : null,
      tagged_entities: `{${(plan.tags ?? []).map((tag) => `"${tag}"`).join(',')}}`,
      meta_ad_objective: isAd ? 'LEAD_GENERATION' : null,
      lead_form_fields: isAd ? '{full_name,email,phone_number}' : '{}',
      custom_questions: '[]',
      created_by: random.pick(staff),
      created_at,
      updated_at: plan.to === null ? created_at : calendar.at(plan.to, 17 * 60),
      version: hasEnded ? 2 : 1,
    }
  })
  await context.copy('campaigns', rows)
  const places = plans.flatMap(({ place }, index) => {
    if (!place) return []
    const { city, ...expected } = place
    return [{ campaign_id: index + 1, city_name: city, expected: JSON.stringify(expected) }]
  })
  await context.copy('campaign_places', places)
  return plans.map(({ source, from, to, pull, quality, status }, index) => ({
    id: index + 1,
    source,
    from,
    // A paused campaign brings no new leads.
    to: status === 'paused' ? -6 : (to ?? 0),
    pull,
    quality,
  }))
}
