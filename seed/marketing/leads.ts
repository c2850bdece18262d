import type { LeadSource, LeadStatus } from '@limber/contract/marketing/leads/lead.ts'
import { draftLead, draftSteps, type StatusChange } from '@limber/server/marketing/leads/lead.factory.ts'
import { DAY, HOUR, MINUTE, shift } from '@limber/server/platform/clock.ts'
import { makeAddressBook } from '../people/address-book.ts'
import { pickName } from '../people/names.ts'
import type { PhoneBook } from '../people/phone-book.ts'
import { towns } from '../places/towns.ts'
import type { Random } from '../random.ts'
import type { SeedContext } from '../seeder.ts'
import type { RunningCampaign } from './campaigns.ts'
import { leadNotes, lostReasons } from './notes.ts'

const LEADS = 900
const YEAR = 364
/** Share of leads that become customers. */
const CONVERSION_RATE = 0.2
/** Share of leads that came in twice and were merged. Lost leads are never merged. */
const MERGE_RATE = 0.03

export interface Joined {
  id: number
  first_name: string
  last_name: string
  email: string
  phone: string | null
  joined_at: Date
}

const weekdayFactors = [0.7, 1.15, 1.1, 1.1, 1.05, 0.95, 0.8]
const ownSources: readonly { source: LeadSource; weight: number }[] = [
  { source: 'website', weight: 46 },
  { source: 'referral', weight: 24 },
  { source: 'event', weight: 10 },
  { source: 'google_ads', weight: 8 },
  { source: 'manual', weight: 12 },
]

interface Person {
  first_name: string
  last_name: string
  email: string
  phone: string | null
}

interface Origin {
  source: LeadSource
  campaign_id: number | null
}

/** A draft of a lead. Its id follows from its position in the order of time. */
interface LeadDraft {
  at: Date
  person: Person
  origin: Origin
  lead: object
  steps: readonly object[]
  notes: readonly object[]
  /** The lead it was merged into, if any. */
  merged?: { into: LeadDraft; by: number; at: Date }
}

const isRunningOn = (day: number) => (campaign: RunningCampaign) => campaign.from <= day && day <= campaign.to

/** Where a lead of a day comes from: a running campaign or one of the company's own sources. */
function originOf(random: Random, campaigns: readonly RunningCampaign[], day: number, wantsQuality: boolean): Origin {
  const running = campaigns.filter(isRunningOn(day))
  const weights = running.map(({ pull, quality }) => pull * (wantsQuality ? quality : 1))
  const picked = random.weighted([1.1, ...weights])
  const campaign = running[picked - 1]
  if (campaign) return { source: campaign.source as LeadSource, campaign_id: campaign.id }
  const source = ownSources[random.weighted(ownSources.map(({ weight }) => weight))]?.source ?? 'website'
  return { source, campaign_id: null }
}

/** The steps of a lead up to a status, in hours: a first response within a day or two, then longer pauses. */
function stepsTo(random: Random, to: LeadStatus, workerId: number, limit: number): StatusChange[] {
  if (to === 'new') return []
  const path: LeadStatus[] =
    to === 'contacted' || (to === 'not_interested' && random.chance(0.6))
      ? ['contacted', to]
      : to === 'onboarding_started'
        ? ['onboarding_started']
        : to === 'onboarding_completed'
          ? ['onboarding_started', 'onboarding_completed']
          : random.chance(0.55)
            ? ['onboarding_started', 'onboarding_completed', 'contacted', to]
            : ['contacted', to]
  const statuses = path.filter((status, index) => status !== path[index - 1])
  const gaps = statuses.map((_, index) =>
    index === 0 ? 0.2 + Math.abs(random.normal()) * (random.chance(0.8) ? 6 : 30) : random.between(8, 90),
  )
  const total = gaps.reduce((sum, gap) => sum + gap, 0)
  // A recent lead took all steps within its age.
  const scale = total > limit ? limit / total : 1
  let after = 0
  return statuses.map((status, index) => {
    after += (gaps[index] ?? 1) * scale
    const reason = lostReasons[random.weighted(lostReasons.map(({ weight }) => weight))]?.reason
    return { status, after, workerId, ...(status === 'not_interested' && random.chance(0.85) && { reason }) }
  })
}

function statusOf(random: Random, age: number): LeadStatus {
  const weights = age < 1.5 * DAY ? [58, 12, 3, 24, 3] : age < 16 * DAY ? [9, 18, 12, 41, 20] : [1.5, 7, 6, 20, 65.5]
  const statuses = ['new', 'onboarding_started', 'onboarding_completed', 'contacted', 'not_interested'] as const
  return statuses[random.weighted(weights)] ?? 'new'
}

/** A year of leads, with more in recent months and during campaigns. Converted leads are customers of the company. */
export async function seedLeads(
  context: SeedContext,
  campaigns: readonly RunningCampaign[],
  { customers, staff, phoneBook }: { customers: readonly Joined[]; staff: readonly number[]; phoneBook: PhoneBook },
) {
  const random = context.random('marketing/leads')
  const phones = context.random('marketing/phones')
  const { calendar, scale } = context
  const { now } = calendar
  const total = LEADS * scale
  const days = Array.from({ length: YEAR }, (_, index) => index - YEAR + 1)
  const pull = days.map((day) => {
    const drawn = campaigns.filter(isRunningOn(day)).reduce((sum, campaign) => sum + campaign.pull, 0)
    return (1 + 0.6 * drawn) * (0.55 + 0.45 * ((day + YEAR) / YEAR)) * (weekdayFactors[calendar.weekday(day)] ?? 1)
  })
  const book = makeAddressBook(0)
  const rows: LeadDraft[] = []

  const add = (
    person: Person,
    at: Date,
    passed: readonly StatusChange[],
    origin: Origin,
    workerId: number,
    more: object,
  ) => {
    const drafted = draftSteps(0, at, passed)
    const isNew = passed.length === 0
    const notes =
      isNew || !random.chance(0.5) ? [] : Array.from({ length: random.integer(1, 3) }, () => random.pick(leadNotes))
    const since = drafted.lead.first_response_at ?? at
    rows.push({
      at,
      person,
      origin,
      lead: {
        ...draftLead({ ...person, created_at: at, assignee_id: isNew && random.chance(0.6) ? null : workerId }),
        ...origin,
        ...drafted.lead,
        ...more,
      },
      steps: drafted.steps,
      notes: notes.map((content, index) => ({
        worker_id: workerId,
        content,
        created_at: new Date(Math.min(shift(since, (index * 26 + 0.1) * HOUR).getTime(), now.getTime())),
      })),
    })
  }

  // Each customer is used once, so that no two leads become the same person.
  const converted = shuffled(random, customers).slice(0, Math.round(total * CONVERSION_RATE))
  for (const { id, joined_at, ...person } of converted) {
    const workerId = random.pick(staff)
    const hours = random.between(5, 24) + Math.abs(random.normal()) * 130
    const at = shift(joined_at, -Math.round(hours * HOUR))
    const passed = stepsTo(random, 'converted', workerId, hours)
    const last = passed.at(-1)
    if (last) last.after = hours
    add(person, at, passed, originOf(random, campaigns, Math.floor(calendar.dayOf(at)), true), workerId, {
      customer_id: id,
    })
  }
  while (rows.length < total) {
    const day = days[random.weighted(pull)] ?? 0
    const at = calendar.at(day, random.between(7 * 60, 22 * 60))
    if (at > shift(now, -5 * MINUTE)) continue
    const age = now.getTime() - at.getTime()
    const name = pickName(random)
    // A different domain, so that no lead shares an email address with a customer.
    const email = book(random, name).replace('@example.com', '@example.net')
    const phone = random.chance(0.72) ? phoneBook(phones, random.pick(towns)) : null
    const workerId = random.pick(staff)
    const passed = stepsTo(random, statusOf(random, age), workerId, age / HOUR)
    const origin = originOf(random, campaigns, day, false)
    const person = { first_name: name.first_name, last_name: name.last_name, email, phone }
    add(person, at, passed, origin, workerId, {})
    // Some respond to a second ad.
    const again = shift(at, Math.round(random.between(2, 40) * DAY))
    if (random.chance(0.02) && again < now && rows.length < total)
      add(
        person,
        again,
        stepsTo(
          random,
          statusOf(random, now.getTime() - again.getTime()),
          workerId,
          (now.getTime() - again.getTime()) / HOUR,
        ),
        originOf(random, campaigns, Math.floor(calendar.dayOf(again)), false),
        workerId,
        {},
      )
  }
  await copyLeads(context, [...rows, ...draftMergedLeads(context, rows, campaigns, staff)])
}

/** Second leads of the same person, merged into the first before anyone responded. */
function draftMergedLeads(
  { random: streamOf, calendar }: SeedContext,
  rows: readonly LeadDraft[],
  campaigns: readonly RunningCampaign[],
  staff: readonly number[],
) {
  const random = streamOf('marketing/merged')
  return rows.flatMap((into): LeadDraft[] => {
    const at = shift(into.at, Math.round(random.between(2, 15) * DAY))
    const mergedAt = shift(at, Math.round(random.between(5, 70) * HOUR))
    const isLost = 'status' in into.lead && into.lead.status === 'not_interested'
    if (!random.chance(MERGE_RATE) || isLost || mergedAt > calendar.at(-2, 0)) return []
    const { steps } = draftSteps(0, at, [])
    const ended = steps.map((step) => ({ ...step, left_at: mergedAt, ended_by_merge: true, lead_created_at: into.at }))
    const origin = originOf(random, campaigns, Math.floor(calendar.dayOf(at)), false)
    return [{ ...into, at, origin, steps: ended, notes: [], merged: { into, by: random.pick(staff), at: mergedAt } }]
  })
}

async function copyLeads(context: SeedContext, rows: readonly LeadDraft[]) {
  const sorted = rows.toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const ids = new Map(sorted.map((row, index) => [row, index + 1]))
  const idOf = (row: LeadDraft) => ids.get(row) ?? 0
  await context.copy(
    'leads',
    sorted.flatMap((row) => (row.merged ? [] : [{ id: idOf(row), ...row.lead }])),
  )
  await context.copy(
    'lead_steps',
    sorted.flatMap((row) =>
      row.steps.map((step) => ({ ended_by_merge: false, ...step, lead_id: idOf(row.merged?.into ?? row) })),
    ),
  )
  await context.copy(
    'lead_notes',
    sorted.flatMap((row) => row.notes.map((note) => ({ lead_id: idOf(row), ...note }))),
  )
  await context.copy(
    'merged_leads',
    sorted.flatMap((row) => {
      const { at, person, origin, merged } = row
      if (!merged) return []
      const merge = { lead_id: idOf(merged.into), merged_by: merged.by, merged_at: merged.at }
      return [{ id: idOf(row), ...person, ...origin, created_at: at, ...merge }]
    }),
  )
}

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value)
}
