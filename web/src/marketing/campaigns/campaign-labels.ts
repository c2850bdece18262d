import { formatInteger, formatList, formatPercent } from '@limber/contract/kit/formats/numbers.ts'
import {
  type Campaign,
  type CampaignDetail,
  type Lockable,
  lockableLabels,
} from '@limber/contract/marketing/campaigns/campaign.ts'
import {
  type CampaignPhase,
  campaignSourceLabels,
  type Goal,
} from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { CallFailure } from '#platform/api/call-failure.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const campaignMeaning: Record<CampaignPhase, Meaning> = {
  active: 'green',
  scheduled: 'blue',
  paused: 'amber',
  completed: 'plain',
}

/** The share of leads that became customers; 0.0% without leads. */
export const rateText = ({ conversion_rate }: Pick<Campaign, 'conversion_rate'>) => formatPercent(conversion_rate, 1)

/** With the HTTP status, such as 'Failed to fetch campaigns: 503'. */
export const listFailure = (error: unknown) =>
  error instanceof CallFailure && error.status > 0
    ? `Failed to fetch campaigns: ${error.status}`
    : 'Failed to fetch campaigns'

export const goalText = ({ type, target, custom }: Goal) =>
  type === 'Custom' ? (custom ?? '') : `${formatInteger(target ?? 0)} ${type.toLowerCase()}`

/** The figures of a result, with their labels. */
export const changeNames = [
  ['users', 'Users'],
  ['activeUsers', 'Active users'],
  ['sessions', 'Sessions'],
  ['revenue', 'Revenue'],
] as const
type Figures = Record<(typeof changeNames)[number][0], number>

const roundDollars = (value: number) => `$${formatInteger(Math.round(value))}`

export const figuresText = ({ users, activeUsers, sessions, revenue }: Figures) =>
  `${formatInteger(users)} users, ${formatInteger(activeUsers)} active, ${formatInteger(sessions)} sessions, ${roundDollars(revenue)}`

/** A change with its sign; two dashes for one that is unknown. */
export function changeText(name: keyof Figures, value: number | null | undefined): string {
  if (value === null || value === undefined) return '--'
  const size = Math.abs(value)
  return `${value > 0 ? '+' : value < 0 ? '−' : '±'}${name === 'revenue' ? roundDollars(size) : formatInteger(size)}`
}

type Audience = CampaignDetail['target_audience']

/** Names each country once: 'Riverside and Corona, US'. */
const byCountry = (places: readonly { name: string; country: string }[]) =>
  [...Map.groupBy(places, ({ country }) => country)]
    .map(([country, within]) => `${formatList(within.map(({ name }) => name))}, ${country}`)
    .join('; ')

function placeText({ countries, regions, cities }: Audience['geo_locations']): string {
  if (cities) {
    const isAround = cities.every(({ radius }) => radius)
    const places = cities.map(({ name, country, radius }) => ({
      name: radius ? `${radius} miles ${isAround ? 'of' : 'around'} ${name || 'a city'}` : name,
      country,
    }))
    return places.length > 0 ? ` ${isAround ? 'within' : 'in'} ${byCountry(places)}` : ''
  }
  const text = regions ? byCountry(regions) : formatList(countries ?? [])
  return text ? ` in ${text}` : ''
}

/** Describes an audience in one sentence. */
export function audienceText({ geo_locations, age_min, age_max, genders, languages, interests }: Audience): string {
  const [only] = genders
  const people = genders.length !== 1 ? 'People' : only === 1 ? 'Men' : 'Women'
  const speaking = languages.length > 0 ? ` who speak ${formatList(languages.map(({ name }) => name))}` : ''
  const about = interests.length > 0 ? `, interested in ${formatList(interests.map(({ name }) => name))}` : ''
  return `${people} aged ${age_min} to ${age_max}${speaking}${placeText(geo_locations)}${about}.`
}

/** Names the fields that can no longer change. */
export const lockedText = (locked: readonly Lockable[]) =>
  `This campaign is already on Meta, so these can no longer change: ${formatList(locked.map((name) => lockableLabels[name]))}.`

/** Explains what happens to a lead ad that is created now. */
export const adText = (isMetaConnected: boolean) =>
  isMetaConnected
    ? `A ${campaignSourceLabels.facebook_lead_ad} is sent to Meta paused. Nothing is spent until you set it to Active. Limber cannot take it back from Meta.`
    : `Meta is not connected, so a ${campaignSourceLabels.facebook_lead_ad} is saved here but not sent. To send ads, connect Meta first (META_AD_ACCOUNT_ID and related settings).`

/** The state of a campaign on Meta; undefined for campaigns that are not Meta ads. */
export function pushText({ push, source, status }: Campaign): { text: string; meaning: Meaning } | undefined {
  if (source !== 'facebook_lead_ad') return undefined
  switch (push.state) {
    case 'not_connected':
      return { text: 'Not sent: Meta is not connected', meaning: 'plain' }
    case 'local':
      return { text: status === 'completed' ? 'Never sent to Meta' : 'Not sent to Meta yet', meaning: 'plain' }
    case 'waiting':
      return { text: push.metaCampaignId ? 'Updating on Meta' : 'Sending to Meta', meaning: 'blue' }
    case 'retrying':
      return { text: 'Not accepted by Meta yet, retrying', meaning: 'amber' }
    case 'failed':
      return { text: push.step ? `Meta rejected the ${push.step}` : 'Rejected by Meta', meaning: 'red' }
    case 'done':
      return { text: `On Meta, ID ${push.metaCampaignId}`, meaning: 'green' }
  }
}
