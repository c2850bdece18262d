import { COMPANY_ZONE } from '@limber/contract/kit/company.ts'
import { parseMoney } from '@limber/contract/kit/money.ts'
import { momentsFromInput } from '@limber/contract/kit/zone-time.ts'
import type {
  AdObjective,
  CustomQuestion,
  LeadFormField,
} from '@limber/contract/marketing/campaigns/campaign-values.ts'

/** Whose account pays, which page speaks, and what ads may lead to. */
export interface AdAccount {
  accountId: string
  pageId: string
  privacyUrl: string | undefined
  linkUrl: string | undefined
  pixelId: string | undefined
  appId: string | undefined
  appStoreUrl: string | undefined
}

/** Whole cents, as Meta counts: from the decimal text, no float in between. */
export const centsOf = (dollars: string): string => String(parseMoney(dollars) / 100n)

/** Meta numbers countries as ISO does. */
export const countryOf = (code: string) => (code === 'UK' ? 'GB' : code)

const questionTypes: Partial<Record<LeadFormField, string>> = {
  phone_number: 'PHONE',
  date_of_birth: 'DOB',
  address: 'STREET_ADDRESS',
  work_phone: 'WORK_PHONE_NUMBER',
}

/** A form's questions as Meta asks them: the known ones by type, our own with keys made for them. */
export function questionsOf(fields: readonly LeadFormField[], own: readonly CustomQuestion[]): object[] {
  const known = fields.map((field) => ({ type: questionTypes[field] ?? field.toUpperCase() }))
  const custom = own.map(({ question, options }, place) => ({
    type: 'CUSTOM',
    key: `question_${place + 1}`,
    label: question,
    ...(options.length > 0 && {
      options: options.map((value, at) => ({ value, key: `option_${at + 1}` })),
    }),
  }))
  return [...known, ...custom]
}

export interface Aim {
  objective: string
  optimization_goal: string
  destination_type?: string
  promoted_object?: Record<string, string>
  /** Where the ad leads; a lead ad leads to its form. */
  link: string
  callToAction: string
}

/** A setting that an objective cannot do without. */
export class MissingSetting extends Error {}

function need(value: string | undefined, name: string, what: string): string {
  if (!value) throw new MissingSetting(`${what} need the setting ${name}. Ask whoever runs the server to set it.`)
  return value
}

/** An objective of the product as Meta names it now. */
export function aimOf(objective: AdObjective, account: AdAccount): Aim {
  const { pageId, pixelId, appId, appStoreUrl, linkUrl } = account
  switch (objective) {
    case 'LEAD_GENERATION':
      return {
        objective: 'OUTCOME_LEADS',
        optimization_goal: 'LEAD_GENERATION',
        destination_type: 'ON_AD',
        promoted_object: { page_id: pageId },
        link: 'http://fb.me/',
        callToAction: 'SIGN_UP',
      }
    case 'TRAFFIC':
      return {
        objective: 'OUTCOME_TRAFFIC',
        optimization_goal: 'LINK_CLICKS',
        destination_type: 'WEBSITE',
        link: need(linkUrl, 'META_LINK_URL', 'Ads for traffic'),
        callToAction: 'LEARN_MORE',
      }
    case 'CONVERSIONS':
      return {
        objective: 'OUTCOME_SALES',
        optimization_goal: 'OFFSITE_CONVERSIONS',
        destination_type: 'WEBSITE',
        promoted_object: {
          pixel_id: need(pixelId, 'META_PIXEL_ID', 'Ads for conversions'),
          custom_event_type: 'PURCHASE',
        },
        link: need(linkUrl, 'META_LINK_URL', 'Ads for conversions'),
        callToAction: 'LEARN_MORE',
      }
    case 'APP_INSTALLS': {
      const store = need(appStoreUrl, 'META_APP_STORE_URL', 'Ads for app installs')
      return {
        objective: 'OUTCOME_APP_PROMOTION',
        optimization_goal: 'APP_INSTALLS',
        promoted_object: {
          application_id: need(appId, 'META_APP_ID', 'Ads for app installs'),
          object_store_url: store,
        },
        link: store,
        callToAction: 'DOWNLOAD',
      }
    }
  }
}

const DAY = 86_400_000

function midnightOf(day: string, daysLater = 0): Date {
  const text = new Date(Date.parse(`${day}T00:00:00Z`) + daysLater * DAY).toISOString().slice(0, 10)
  const [begin] = momentsFromInput(`${text}T00:00`, COMPANY_ZONE) ?? []
  if (!begin) throw new RangeError(`${day} has no midnight in ${COMPANY_ZONE}`)
  return begin
}

/** From the first moment of the first day, unless it is past, to the last moment of the last. */
export function timesOf(startDate: string, endDate: string | null, now: Date): Record<string, string> {
  const start = midnightOf(startDate)
  return {
    ...(start > now && { start_time: start.toISOString() }),
    ...(endDate !== null && { end_time: midnightOf(endDate, 1).toISOString() }),
  }
}

/** A name at Meta ends with the campaign's mark: by it we know again what is ours. */
export const markedName = (name: string, mark: string) => `${name.slice(0, 150)} [${mark}]`
