import type { EditCampaign, Lockable } from '@limber/contract/marketing/campaigns/campaign.ts'
import {
  type AdObjective,
  type CampaignSource,
  DEFAULT_FORM_FIELDS,
} from '@limber/contract/marketing/campaigns/campaign-values.ts'

type Fields = Omit<EditCampaign, 'version'>
const lists = ['target_audience', 'goals', 'custom_questions'] as const
/** The Meta object that contains each field, by the name of its step. */
const containingObject: Record<Lockable, 'campaign' | 'ad set' | 'form' | 'creative'> = {
  source: 'campaign',
  meta_ad_objective: 'campaign',
  start_date: 'ad set',
  target_audience: 'ad set',
  lead_form_fields: 'form',
  custom_questions: 'form',
  ad_message: 'creative',
  link_description: 'creative',
}

type Fitted = Omit<Fields, 'meta_ad_objective'> & { meta_ad_objective?: AdObjective | null | undefined }

interface Kind {
  source: CampaignSource
  meta_ad_objective: AdObjective | null
}

const DEFAULT_OBJECTIVE = 'LEAD_GENERATION'
const isAd = ({ source }: Kind) => source === 'facebook_lead_ad'
const hasForm = (kind: Kind) => isAd(kind) && (kind.meta_ad_objective ?? DEFAULT_OBJECTIVE) === DEFAULT_OBJECTIVE

/** Drops ad fields for other sources and form fields for other objectives. New ads and forms get defaults. */
export function fitToSource(before: Kind, fields: Fields): Fitted {
  const { source = before.source, meta_ad_objective = before.meta_ad_objective } = fields
  const after = { source, meta_ad_objective }
  const none = { lead_form_fields: [], custom_questions: [] }
  if (!isAd(after)) return { ...fields, ...none, meta_ad_objective: null, link_description: null, tagged_entities: [] }
  return {
    ...(!isAd(before) && { meta_ad_objective: DEFAULT_OBJECTIVE }),
    ...(!hasForm(before) && { lead_form_fields: [...DEFAULT_FORM_FIELDS] }),
    ...fields,
    ...(!hasForm(after) && none),
  }
}

const isBlank = (value: unknown) => value === '' || value === undefined || value === null

/** JSON with sorted keys, so that equal values compare equal. */
const stable = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) =>
    one !== null && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  ) ?? ''

const numberText = (value: unknown) => (isBlank(value) ? '' : String(Number(value)))

/** The changed columns and their previous values. */
export function changesOf(fields: Fitted, before: object) {
  const change: Record<string, unknown> = {}
  const was: Record<string, unknown> = {}
  for (const [name, given] of Object.entries(fields)) {
    if (given === undefined) continue
    const old = (before as Record<string, unknown>)[name]
    const isList = (lists as readonly string[]).includes(name)
    const value = isBlank(given) ? null : given
    const isSame = name === 'budget' ? numberText(value) === numberText(old) : stable(value) === stable(old ?? null)
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

/** The Meta objects of an ad that exist. `begun` may exist: its reply was lost. */
interface CreatedParts {
  adset_id: string | null
  form_id: string | null
  creative_id: string | null
  begun: string | null
}

/** The locked fields of a campaign. If the Meta campaign was not created by us, all of them are locked. */
export function lockedOf(metaCampaignId: string | null, made: CreatedParts | undefined): Lockable[] {
  const names = Object.keys(containingObject) as Lockable[]
  if (!made) return metaCampaignId === null ? [] : names
  const exists = {
    campaign: metaCampaignId !== null,
    'ad set': made.adset_id !== null,
    form: made.form_id !== null,
    creative: made.creative_id !== null,
  }
  return names.filter((name) => exists[containingObject[name]] || containingObject[name] === made.begun)
}
