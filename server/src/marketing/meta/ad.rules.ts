import { companyZone } from '@limber/contract/kit/company.ts'
import { parseMoney } from '@limber/contract/kit/money.ts'
import { momentsFromInput } from '@limber/contract/kit/zone-time.ts'
import type {
  AdObjective,
  CustomQuestion,
  LeadFormField,
} from '@limber/contract/marketing/campaigns/campaign-values.ts'

/** The ad account, its page, and the targets of ads. */
export interface AdAccount {
  accountId: string
  pageId: string
  privacyUrl: string | undefined
  linkUrl: string | undefined
  pixelId: string | undefined
  appId: string | undefined
  appStoreUrl: string | undefined
}

/** Whole cents, as Meta expects, without floating point. */
export const centsOf = (dollars: string): string => String(parseMoney(dollars) / 100n)

/** Meta uses ISO country codes. */
export const countryOf = (code: string) => (code === 'UK' ? 'GB' : code)

const questionTypes: Partial<Record<LeadFormField, string>> = {
  phone_number: 'PHONE',
  date_of_birth: 'DOB',
  address: 'STREET_ADDRESS',
  work_phone: 'WORK_PHONE_NUMBER',
}

/** The questions of a form in Meta's format: standard fields by type, custom ones with generated keys. */
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
  /** The target of the ad; lead ads open their form instead. */
  link: string
  callToAction: string
}

/** A setting that the objective requires is missing. */
export class MissingSettingError extends Error {}

function requireSetting(value: string | undefined, name: string, what: string): string {
  if (!value) throw new MissingSettingError(`${what} require the setting ${name}. Ask your administrator to set it.`)
  return value
}

/** Maps our objective to Meta's current names. */
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
        link: requireSetting(linkUrl, 'META_LINK_URL', 'Traffic ads'),
        callToAction: 'LEARN_MORE',
      }
    case 'CONVERSIONS':
      return {
        objective: 'OUTCOME_SALES',
        optimization_goal: 'OFFSITE_CONVERSIONS',
        destination_type: 'WEBSITE',
        promoted_object: {
          pixel_id: requireSetting(pixelId, 'META_PIXEL_ID', 'Conversion ads'),
          custom_event_type: 'PURCHASE',
        },
        link: requireSetting(linkUrl, 'META_LINK_URL', 'Conversion ads'),
        callToAction: 'LEARN_MORE',
      }
    case 'APP_INSTALLS': {
      const store = requireSetting(appStoreUrl, 'META_APP_STORE_URL', 'App install ads')
      return {
        objective: 'OUTCOME_APP_PROMOTION',
        optimization_goal: 'APP_INSTALLS',
        promoted_object: {
          application_id: requireSetting(appId, 'META_APP_ID', 'App install ads'),
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
  const [begin] = momentsFromInput(`${text}T00:00`, companyZone()) ?? []
  if (!begin) throw new RangeError(`${day} has no midnight in ${companyZone()}`)
  return begin
}

/** Start and end times in the company's time zone, end date included. A start in the past is left out. */
export function timesOf(startDate: string, endDate: string | null, now: Date): Record<string, string> {
  const start = midnightOf(startDate)
  return {
    ...(start > now && { start_time: start.toISOString() }),
    ...(endDate !== null && { end_time: midnightOf(endDate, 1).toISOString() }),
  }
}

/** Names on Meta end with the campaign's mark, which identifies our objects. */
export const nameWithMark = (name: string, mark: string) => `${name.slice(0, 150)} [${mark}]`
