import { Expectation } from '@limber/contract/growth/campaigns/result.ts'
import { CityName } from '@limber/contract/growth/values.ts'
import {
  campaignFields,
  createCampaign,
  MAX_FIELD_BYTES,
  MAX_MEDIA,
  MEDIA_TYPES,
} from '@limber/contract/marketing/campaigns/campaign.ts'
import {
  audienceFault,
  type CustomQuestion,
  DEFAULT_FORM_FIELDS,
  TargetAudience,
} from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { z } from 'zod'
import { insertCampaignPlace } from '#growth/public.ts'
import { BadJson, parseStrictJson } from '#platform/http/json.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Context, serve } from '#platform/http/routes.ts'
import {
  BadUpload,
  discard,
  discardUncommitted,
  type ReceivedFile,
  receiveFiles,
} from '#platform/uploads/receive-files.ts'
import { isWithinQuota, makeQuotaCounter } from '#platform/uploads/upload-quota.ts'
import { requestPush } from '../meta/push-campaign.ts'
import { insertCampaign, insertMedia, type NewMedia } from './campaign.queries.ts'
import { mediaKey } from './campaign-media.ts'
import { isConnected, showWithStats } from './show-campaign.ts'

const MB = 1024 * 1024
const types: readonly string[] = MEDIA_TYPES

type MediaType = NewMedia['mime_type']

const badField = (text: string) => refuse(createCampaign, 'bad_field', { values: { text } })

/** The error of the JSON parser; undefined for valid JSON. */
function parserError(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

/** Parses a JSON field as strictly as a JSON body; undefined if it is empty. */
function readJson(fields: ReadonlyMap<string, string>, name: string): unknown {
  const text = fields.get(name)
  if (text === undefined || text.trim() === '') return undefined
  try {
    return parseStrictJson(Buffer.from(text))
  } catch (error) {
    if (!(error instanceof BadJson)) throw error
    const words = name === 'custom_questions' ? parserError(text) : undefined
    if (words !== undefined) throw refuse(createCampaign, 'bad_questions', { values: { text: words } })
    throw badField(error.message.replace(/the body/i, () => name))
  }
}

function readAs<T>(schema: z.ZodType<T>, value: unknown, name?: string): T {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const path = [...(name ? [name] : []), ...(issue?.path ?? [])].join('.')
  // A missing field has its own text, whatever the schema says.
  const isAbsent = issue?.code === 'invalid_type' && /undefined/.test(issue.message)
  throw badField(`${path} ${isAbsent ? 'is required' : (issue?.message ?? 'is not valid')}.`)
}

/** The zone or city that the campaign is for, with what is expected there. */
function readPlace(fields: ReadonlyMap<string, string>) {
  const city = fields.get('city_name')?.trim() ?? ''
  if (city === '') return undefined
  return {
    cityName: readAs(CityName, city, 'city_name'),
    expected: readAs(Expectation, readJson(fields, 'expected'), 'expected'),
  }
}

const { name, source, start_date, end_date, budget, ad_message, notes, link_description, meta_ad_objective } =
  campaignFields
const Scalars = z.strictObject({
  name,
  source,
  start_date,
  end_date: end_date.default(null),
  budget: budget.default(null),
  ad_message: ad_message.default(null),
  notes: notes.default(null),
  link_description: link_description.default(null),
  meta_ad_objective: meta_ad_objective.default('LEAD_GENERATION'),
})
const lists = [
  'target_audience',
  'goals',
  'tagged_entities',
  'lead_form_fields',
  'custom_questions',
  'city_name',
  'expected',
]

/** Reads the form; refuses in the order and with the texts of the specification. */
function readForm(fields: ReadonlyMap<string, string>) {
  const scalars: Record<string, string> = {}
  // Empty fields count as missing.
  for (const [key, value] of fields) if (!lists.includes(key) && value.trim() !== '') scalars[key] = value
  const audience = readAs(TargetAudience, readJson(fields, 'target_audience') ?? {}, 'target_audience')
  const fault = audienceFault(audience)
  if (fault) throw refuse(createCampaign, fault)
  const asked = readJson(fields, 'custom_questions')
  const read = readAs(Scalars, scalars)
  if (read.end_date !== null && read.end_date < read.start_date) throw refuse(createCampaign, 'end_before_start')
  const isAd = read.source === 'facebook_lead_ad'
  const hasForm = isAd && read.meta_ad_objective === 'LEAD_GENERATION'
  const of = <T>(schema: z.ZodType<T>, key: string, otherwise: unknown) =>
    readAs(schema, readJson(fields, key) ?? otherwise, key)
  const questions = readAs(
    campaignFields.custom_questions as z.ZodType<CustomQuestion[]>,
    asked ?? [],
    'custom_questions',
  )
  return {
    ...read,
    // Ad fields are dropped for other sources.
    link_description: isAd ? read.link_description : null,
    meta_ad_objective: isAd ? read.meta_ad_objective : null,
    target_audience: JSON.stringify(audience),
    goals: JSON.stringify(of(campaignFields.goals, 'goals', [])),
    tagged_entities: isAd ? of(campaignFields.tagged_entities, 'tagged_entities', []) : [],
    lead_form_fields: hasForm
      ? [...new Set(of(campaignFields.lead_form_fields, 'lead_form_fields', DEFAULT_FORM_FIELDS))]
      : [],
    custom_questions: JSON.stringify(hasForm ? questions : []),
  }
}

function checkFile({ fault, kind }: ReceivedFile) {
  if (!fault) return
  throw refuse(createCampaign, fault, { values: { kind: kind?.plural ?? 'Files', limit: (kind?.limit ?? 0) / MB } })
}

async function receive({ request, worker, services, now }: Context<typeof createCampaign>) {
  const sent = Number(request.raw.headers['content-length'] ?? 0)
  // Small forms without media are always accepted.
  if (sent > MB && !(await isWithinQuota(services.db, worker.workerId, sent, now)))
    throw refuse(createCampaign, 'quota', { retryAfter: 3600 })
  try {
    return await receiveFiles(request.raw, {
      isFile: (part) => /^media\d{1,3}$/.test(part),
      maxFiles: MAX_MEDIA,
      storage: services.storage,
      keyOf: mediaKey,
      accepts: (mime) => types.includes(mime),
      fields: { max: 20, bytes: MAX_FIELD_BYTES },
      spend: makeQuotaCounter(services, worker.workerId),
    })
  } catch (error) {
    if (error instanceof BadUpload && error.code === 'quota')
      throw refuse(createCampaign, 'quota', { retryAfter: 3600 })
    if (error instanceof BadUpload) throw refuse(createCampaign, error.code === 'cut_off' ? 'malformed' : error.code)
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
      throw refuse(createCampaign, 'storage_full')
    throw error
  }
}

export const createCampaignRoutes = [
  serve(
    createCampaign,
    async (context) => {
      const { services, worker, once } = context
      const { fields, files, fingerprint } = await receive(context)
      try {
        const draft = readForm(fields)
        const place = readPlace(fields)
        for (const file of files) checkFile(file)
        const media = files.flatMap(({ staged }) =>
          staged
            ? [{ ...staged, mime_type: staged.kind.mime as MediaType }].map(
                ({ name: stored, filename, mime_type, finalSize }) => ({
                  name: stored,
                  filename,
                  mime_type,
                  bytes: finalSize,
                }),
              )
            : [],
        )
        const { reply, isRepeat } = await once(fingerprint, async (work) => {
          const { db, now, audit, publish } = work
          const isPushed = draft.source === 'facebook_lead_ad' && isConnected(services.config)
          // Ads start paused, so nothing is spent until someone activates them.
          const status = isPushed ? 'paused' : 'active'
          const id = await insertCampaign(db, { ...draft, status }, worker.workerId, now)
          await insertMedia(db, id, media, now)
          if (place) await insertCampaignPlace(db, id, place.cityName, place.expected)
          if (isPushed) await requestPush({ ...work, worker }, id, draft.name)
          const after = { name: draft.name, source: draft.source, budget: draft.budget, media: media.length, ...place }
          audit({ action: 'campaign_created', subject: 'campaign', subjectId: id, after })
          publish('campaigns', { campaign: id })
          return showWithStats(db, services.config, id, now)
        })
        if (isRepeat) await discard(services.storage, files, mediaKey)
        return reply
      } catch (error) {
        await discardUncommitted(error, services.storage, files, mediaKey)
        throw error
      }
    },
    { transaction: 'none' },
  ),
]
