import type { EditCampaign } from '@limber/contract/marketing/campaign.ts'
import type { CampaignSource } from '@limber/contract/marketing/campaign-values.ts'

type Fields = Omit<EditCampaign, 'version'>
const lists = ['target_audience', 'goals', 'custom_questions'] as const
const texts = ['ad_message', 'notes', 'link_description', 'budget', 'end_date'] as const
/** What an ad is made of: it cannot change once it is made. */
const locked = {
  source: 'source',
  start_date: 'start date',
  ad_message: 'message',
  link_description: 'link description',
  target_audience: 'audience',
  meta_ad_objective: 'objective',
  lead_form_fields: 'form',
  custom_questions: 'questions',
} as const

const isBlank = (value: unknown) => value === '' || value === undefined || value === null

/** JSON whose keys stand in one order, so that equal things read equal. */
const stable = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) =>
    one !== null && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  ) ?? ''

const numberText = (value: unknown) => (isBlank(value) ? '' : String(Number(value)))

/** The columns that a change writes, and what stood there; what stays as it was is in neither. */
export function rowOf(fields: Fields, before: object) {
  const change: Record<string, unknown> = {}
  const was: Record<string, unknown> = {}
  for (const [name, given] of Object.entries(fields)) {
    if (given === undefined) continue
    const old = (before as Record<string, unknown>)[name]
    const isList = (lists as readonly string[]).includes(name)
    const value = (texts as readonly string[]).includes(name) && isBlank(given) ? null : given
    const isSame =
      name === 'budget' ? numberText(value) === numberText(old) : stable(value ?? null) === stable(old ?? null)
    if (isSame) continue
    change[name] = isList ? JSON.stringify(value) : value
    was[name] = old
  }
  return { change: change as CampaignColumns, was }
}

interface CampaignColumns {
  name?: string
  source?: CampaignSource
  budget?: string | null
  start_date?: string
  end_date?: string | null
}

/** What of a change an ad that is at Meta cannot follow, in words. */
export const lockedChanges = (change: object): string[] =>
  Object.entries(locked).flatMap(([name, words]) => (name in change ? [words] : []))
