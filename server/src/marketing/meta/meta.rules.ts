import { createHmac, timingSafeEqual } from 'node:crypto'
import { Email } from '@limber/contract/kit/values.ts'
import { normalizePhone } from '@limber/contract/marketing/leads/lead.ts'
import { z } from 'zod'

/** Parses JSON and keeps integers beyond the safe range as text, because Meta's ids can be that large. */
export const parseWithTextIds = (text: string): unknown =>
  JSON.parse(text, ((_key: string, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value) as (
    key: string,
    value: unknown,
  ) => unknown)

/** Verifies the signature over the raw bytes, in constant time. */
export function isSigned(bytes: Buffer, header: unknown, appSecret: string): boolean {
  if (typeof header !== 'string' || !/^sha256=[0-9a-f]{64}$/i.test(header)) return false
  const expected = createHmac('sha256', appSecret).update(bytes).digest()
  return timingSafeEqual(expected, Buffer.from(header.slice(7), 'hex'))
}

const Digits = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,30}$/))
/** Absent, empty or 0: an organic lead has no ad. */
const MaybeDigits = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((id) => (id && /^[1-9]\d{0,29}$/.test(String(id)) ? String(id) : null))

const Change = z.object({
  field: z.literal('leadgen'),
  value: z.object({ leadgen_id: Digits, page_id: MaybeDigits, form_id: MaybeDigits, ad_id: MaybeDigits }),
})

const Announcement = z.object({
  object: z.literal('page'),
  entry: z.array(z.object({ changes: z.array(z.unknown()).default([]) })),
})

export type Announced = z.output<typeof Change>['value']

/** The announced leads without repeats; undefined if the body is not a lead notification. */
export function readAnnouncement(bytes: Buffer): Announced[] | undefined {
  let json: unknown
  try {
    json = parseWithTextIds(bytes.toString('utf8'))
  } catch {
    return undefined
  }
  const read = Announcement.safeParse(json)
  if (!read.success) return undefined
  // The page may have other subscriptions, which are ignored.
  const changes = read.data.entry.flatMap(({ changes: all }) => all.map((change) => Change.safeParse(change)))
  const found = changes.flatMap(({ data }) => (data ? [data.value] : []))
  return [...new Map(found.map((value) => [value.leadgen_id, value])).values()]
}

export interface GraphError {
  message?: string
  code?: number
  error_user_msg?: string
  is_transient?: boolean
}

/** `transient`: retry; `token`, `permission`: staff must fix it first; `rejected`: do not retry. */
export type FailureKind = 'transient' | 'token' | 'permission' | 'rejected'

const transientCodes = new Set([1, 2, 4, 17, 341, 613])

export function failureKindOf(error: GraphError | undefined, status: number): FailureKind {
  const { code = 0, is_transient = false } = error ?? {}
  if (is_transient || transientCodes.has(code) || (code >= 80_000 && code <= 80_014)) return 'transient'
  if (code === 190) return 'token'
  if (code === 10 || (code >= 200 && code < 300)) return 'permission'
  return error?.code === undefined && (status >= 500 || status === 429) ? 'transient' : 'rejected'
}

/** Minutes until the rate limit ends, from Meta's usage header. */
export function regainMinutes(header: string | null): number | undefined {
  if (!header) return undefined
  try {
    const usage = z
      .record(z.string(), z.array(z.object({ estimated_time_to_regain_access: z.number().nonnegative().optional() })))
      .parse(JSON.parse(header))
    const minutes = Object.values(usage).flatMap((uses) =>
      uses.map(({ estimated_time_to_regain_access: wait = 0 }) => wait),
    )
    return Math.max(0, ...minutes) || undefined
  } catch {
    return undefined
  }
}

const MAX_WAIT = 6 * 60

/** Milliseconds until the rate limit ends, if Meta reports it. */
export const regainMilliseconds = (minutes: number | undefined): number | undefined =>
  minutes === undefined ? undefined : Math.min(MAX_WAIT, minutes) * 60_000

const MAX_TRIES = 40

/** Minutes until the next attempt; undefined if there are no more retries. */
export function waitMinutes(kind: FailureKind, tries: number, regain: number | undefined): number | undefined {
  if (kind === 'rejected' || tries >= MAX_TRIES) return undefined
  // Staff may fix the setup at any time, so it is checked regularly.
  if (kind !== 'transient') return 15
  return Math.min(MAX_WAIT, Math.max(regain ?? 0, 2 ** Math.min(tries - 1, 10)))
}

const FieldData = z.array(z.object({ name: z.string().max(200), values: z.array(z.unknown()).default([]) })).max(200)

/** A lead from the Graph API. */
export const GraphLead = z.object({
  id: Digits,
  created_time: z.string().optional(),
  campaign_id: MaybeDigits,
  field_data: FieldData.default([]),
})
export type GraphLead = z.output<typeof GraphLead>

const clean = (text: string, most: number) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed on purpose
    .replace(/[\u0000-\u001f\u007f]/g, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed()

const contactFields = new Set([
  'full_name',
  'first_name',
  'last_name',
  'email',
  'work_email',
  'phone_number',
  'work_phone_number',
])

/** Splits form answers into contact data and other answers. */
export function personOf(lead: GraphLead) {
  const answers = lead.field_data.map(({ name, values }) => ({
    name: clean(name, 100),
    value: clean(values.map(String).join(', '), 500),
  }))
  const of = (...names: string[]) =>
    names.map((name) => answers.find((one) => one.name === name)?.value).find(Boolean) ?? ''
  const [given = '', ...family] = of('full_name').split(/\s+/)
  const email = Email.safeParse(of('email', 'work_email'))
  const phone = normalizePhone(of('phone_number', 'work_phone_number'))
  const isPhone = /^\+[1-9]\d{6,14}$/.test(phone)
  const first_name = (of('first_name') || given).slice(0, 100)
  const last_name = (of('last_name') || (of('first_name') ? '' : family.join(' '))).slice(0, 100)
  const isAnonymous = first_name + last_name === '' && !email.success && !isPhone
  return {
    first_name: isAnonymous ? 'Unknown' : first_name,
    last_name,
    email: email.success ? email.data : null,
    phone: isPhone ? phone : null,
    // Invalid emails and phone numbers are kept as answers.
    answers: answers.filter(
      ({ name, value }) =>
        value !== '' &&
        (!contactFields.has(name) || (/email/.test(name) && !email.success) || (/phone/.test(name) && !isPhone)),
    ),
  }
}

/** When the form was sent, but never in the future, because clocks differ. */
export function arrivedAt(lead: GraphLead, now: Date): Date {
  const at = Date.parse(lead.created_time ?? '')
  return Number.isNaN(at) || at > now.getTime() ? now : new Date(at)
}
