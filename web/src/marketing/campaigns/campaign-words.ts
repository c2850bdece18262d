import { formatInteger, formatList, formatPercent } from '@limber/contract/kit/formats/numbers.ts'
import {
  type Campaign,
  type CampaignDetail,
  type Lockable,
  lockWords,
} from '@limber/contract/marketing/campaigns/campaign.ts'
import {
  type CampaignPhase,
  campaignSourceWords,
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

/** How many of its leads became customers; 0.0 % without leads. */
export const rateText = ({ conversion_rate }: Pick<Campaign, 'conversion_rate'>) => formatPercent(conversion_rate, 1)

/** A failed list says its status, as 'Failed to fetch campaigns: 503'. */
export const listFailure = (error: unknown) =>
  error instanceof CallFailure && error.status > 0
    ? `Failed to fetch campaigns: ${error.status}`
    : 'Failed to fetch campaigns'

export const goalText = ({ type, target, custom }: Goal) =>
  type === 'Custom' ? (custom ?? '') : `${formatInteger(target ?? 0)} ${type.toLowerCase()}`

type Audience = CampaignDetail['target_audience']

/** Places with their country, which is said once: 'Riverside and Corona, US'. */
const byCountry = (places: readonly { name: string; country: string }[]) =>
  [...Map.groupBy(places, ({ country }) => country)]
    .map(([country, within]) => `${formatList(within.map(({ name }) => name))}, ${country}`)
    .join('; ')

function placeText({ countries, regions, cities }: Audience['geo_locations']): string {
  if (cities)
    return byCountry(
      cities.map(({ name, country, radius }) => ({
        name: radius ? `${radius} miles around ${name || 'a city'}` : name,
        country,
      })),
    )
  return regions ? byCountry(regions) : formatList(countries ?? [])
}

/** Whom a campaign speaks to, in one sentence. */
export function audienceText({ geo_locations, age_min, age_max, genders, languages, interests }: Audience): string {
  const [only] = genders
  const people = genders.length !== 1 ? 'People' : only === 1 ? 'Men' : 'Women'
  const speaking = languages.length > 0 ? ` who speak ${formatList(languages.map(({ name }) => name))}` : ''
  const about = interests.length > 0 ? `, interested in ${formatList(interests.map(({ name }) => name))}` : ''
  const place = placeText(geo_locations)
  return `${people} of ${age_min} to ${age_max}${speaking}${place ? ` in ${place}` : ''}${about}.`
}

/** What can no longer change, and why. */
export const lockedText = (locked: readonly Lockable[]) =>
  `Part of it is at Meta, so these can no longer change: ${formatList(locked.map((name) => lockWords[name]))}.`

/** What becomes of a lead ad that is created now. */
export const adText = (isMetaConnected: boolean) =>
  isMetaConnected
    ? `A ${campaignSourceWords.facebook_lead_ad} is sent to Meta paused. Nothing is spent until you set it to Active.`
    : `Meta is not connected, so a ${campaignSourceWords.facebook_lead_ad} stays here and nothing is sent. To send it, connect Meta first (META_AD_ACCOUNT_ID and the settings beside it).`

/** How a campaign stands at Meta, in words; nothing for what does not belong there. */
export function pushText({ push, source, status }: Campaign): { text: string; meaning: Meaning } | undefined {
  if (source !== 'facebook_lead_ad') return undefined
  switch (push.state) {
    case 'not_connected':
      return { text: 'It stays here: Meta is not connected', meaning: 'plain' }
    case 'local':
      return { text: status === 'completed' ? 'Never was at Meta' : 'Not at Meta yet', meaning: 'plain' }
    case 'waiting':
      return { text: push.metaCampaignId ? 'Telling Meta' : 'On its way to Meta', meaning: 'blue' }
    case 'retrying':
      return { text: 'Meta did not take it yet; it is tried again', meaning: 'amber' }
    case 'failed':
      return { text: push.step ? `Meta refused the ${push.step}` : 'Meta refused it', meaning: 'red' }
    case 'done':
      return { text: `At Meta as ${push.metaCampaignId}`, meaning: 'green' }
  }
}
