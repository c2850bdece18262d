import type { LeadSource, LeadStatus } from '@limber/contract/marketing/leads/lead.ts'
import { draftLead, draftSteps, type Passed } from '@limber/server/marketing/leads/lead.factory.ts'
import { DAY, HOUR, MINUTE, shift } from '@limber/server/platform/clock.ts'
import type { Story } from '../chapter.ts'
import { makeAddressBook } from '../people/address-book.ts'
import { pickName } from '../people/names.ts'
import type { PhoneBook } from '../people/phone-book.ts'
import { towns } from '../places/towns.ts'
import type { Random } from '../random.ts'
import type { Drawing } from './campaigns.ts'
import { leadNotes, lostReasons } from './notes.ts'

const LEADS = 900
const YEAR = 364
/** Of a hundred leads so many become customers. */
const CONVERTED = 0.2
/** Of a hundred so many came a second time, and somebody made one lead of the two; of lost ones nobody noticed. */
const MERGED = 0.03

export interface Joined {
  id: number
  first_name: string
  last_name: string
  email: string
  phone: string | null
  joined_at: Date
}

const weekday = [0.7, 1.15, 1.1, 1.1, 1.05, 0.95, 0.8]
const own: readonly { source: LeadSource; weight: number }[] = [
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

/** A lead to be, under the number that its place among the others gives it. */
interface Row {
  at: Date
  person: Person
  origin: Origin
  lead: object
  steps: readonly object[]
  notes: readonly object[]
  /** Where it went, when it is no lead any more. */
  merged?: { into: Row; by: number; at: Date }
}

const isDrawing = (day: number) => (campaign: Drawing) => campaign.from <= day && day <= campaign.to

/** Where a lead of a day comes from: a campaign that runs, or the company's own doors. */
function originOf(random: Random, campaigns: readonly Drawing[], day: number, wantsQuality: boolean): Origin {
  const running = campaigns.filter(isDrawing(day))
  const weights = running.map(({ pull, quality }) => pull * (wantsQuality ? quality : 1))
  const place = random.weighted([1.1, ...weights])
  const campaign = running[place - 1]
  if (campaign) return { source: campaign.source as LeadSource, campaign_id: campaign.id }
  const source = own[random.weighted(own.map(({ weight }) => weight))]?.source ?? 'website'
  return { source, campaign_id: null }
}

/** The hours of a lead's way to a status: somebody answers within a day or two, then it takes its time. */
function walk(random: Random, to: LeadStatus, workerId: number, limit: number): Passed[] {
  if (to === 'new') return []
  const way: LeadStatus[] =
    to === 'contacted' || (to === 'not_interested' && random.chance(0.6))
      ? ['contacted', to]
      : to === 'onboarding_started'
        ? ['onboarding_started']
        : to === 'onboarding_completed'
          ? ['onboarding_started', 'onboarding_completed']
          : random.chance(0.55)
            ? ['onboarding_started', 'onboarding_completed', 'contacted', to]
            : ['contacted', to]
  const statuses = way.filter((status, index) => status !== way[index - 1])
  const gaps = statuses.map((_, index) =>
    index === 0 ? 0.2 + Math.abs(random.normal()) * (random.chance(0.8) ? 6 : 30) : random.between(8, 90),
  )
  const total = gaps.reduce((sum, gap) => sum + gap, 0)
  // A young lead did all that in the time it had.
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

/** A year of leads, more of them lately and while campaigns run; those who converted are customers of the company. */
export async function tellLeads(
  story: Story,
  campaigns: readonly Drawing[],
  { customers, staff, phoneBook }: { customers: readonly Joined[]; staff: readonly number[]; phoneBook: PhoneBook },
) {
  const random = story.random('marketing/leads')
  const phones = story.random('marketing/phones')
  const { calendar, scale } = story
  const { now } = calendar
  const total = LEADS * scale
  const days = Array.from({ length: YEAR }, (_, index) => index - YEAR + 1)
  const pull = days.map((day) => {
    const drawn = campaigns.filter(isDrawing(day)).reduce((sum, campaign) => sum + campaign.pull, 0)
    return (1 + 0.6 * drawn) * (0.55 + 0.45 * ((day + YEAR) / YEAR)) * (weekday[calendar.weekday(day)] ?? 1)
  })
  const book = makeAddressBook(0)
  const rows: Row[] = []

  const add = (person: Person, at: Date, passed: readonly Passed[], origin: Origin, workerId: number, more: object) => {
    const way = draftSteps(0, at, passed)
    const isNew = passed.length === 0
    const notes =
      isNew || !random.chance(0.5) ? [] : Array.from({ length: random.whole(1, 3) }, () => random.pick(leadNotes))
    const since = way.lead.first_response_at ?? at
    rows.push({
      at,
      person,
      origin,
      lead: {
        ...draftLead({ ...person, created_at: at, assignee_id: isNew && random.chance(0.6) ? null : workerId }),
        ...origin,
        ...way.lead,
        ...more,
      },
      steps: way.steps,
      notes: notes.map((content, index) => ({
        worker_id: workerId,
        content,
        created_at: new Date(Math.min(shift(since, (index * 26 + 0.1) * HOUR).getTime(), now.getTime())),
      })),
    })
  }

  // Each customer is taken once, so that no two leads become the same person by chance.
  const winners = shuffled(random, customers).slice(0, Math.round(total * CONVERTED))
  for (const { id, joined_at, ...person } of winners) {
    const workerId = random.pick(staff)
    const hours = random.between(5, 24) + Math.abs(random.normal()) * 130
    const at = shift(joined_at, -Math.round(hours * HOUR))
    const passed = walk(random, 'converted', workerId, hours)
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
    // Another domain than the customers': nobody becomes one by sharing an address.
    const email = book(random, name).replace('@example.com', '@example.net')
    const phone = random.chance(0.72) ? phoneBook(phones, random.pick(towns)) : null
    const workerId = random.pick(staff)
    const passed = walk(random, statusOf(random, age), workerId, age / HOUR)
    const origin = originOf(random, campaigns, day, false)
    const person = { first_name: name.first_name, last_name: name.last_name, email, phone }
    add(person, at, passed, origin, workerId, {})
    // Some answer a second ad.
    const again = shift(at, Math.round(random.between(2, 40) * DAY))
    if (random.chance(0.02) && again < now && rows.length < total)
      add(
        person,
        again,
        walk(
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
  await copyLeads(story, [...rows, ...findTwins(story, rows, campaigns, staff)])
}

/** Second leads that were merged into the first: nobody had answered them yet. */
function findTwins(
  { random: open, calendar }: Story,
  rows: readonly Row[],
  campaigns: readonly Drawing[],
  staff: readonly number[],
) {
  const random = open('marketing/merged')
  return rows.flatMap((into): Row[] => {
    const at = shift(into.at, Math.round(random.between(2, 15) * DAY))
    const mergedAt = shift(at, Math.round(random.between(5, 70) * HOUR))
    const isLost = 'status' in into.lead && into.lead.status === 'not_interested'
    if (!random.chance(MERGED) || isLost || mergedAt > calendar.at(-2, 0)) return []
    const { steps } = draftSteps(0, at, [])
    const ended = steps.map((step) => ({ ...step, left_at: mergedAt, ended_by_merge: true, lead_created_at: into.at }))
    const origin = originOf(random, campaigns, Math.floor(calendar.dayOf(at)), false)
    return [{ ...into, at, origin, steps: ended, notes: [], merged: { into, by: random.pick(staff), at: mergedAt } }]
  })
}

async function copyLeads(story: Story, rows: readonly Row[]) {
  const sorted = rows.toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const places = new Map(sorted.map((row, index) => [row, index + 1]))
  const numberOf = (row: Row) => places.get(row) ?? 0
  await story.copy(
    'leads',
    sorted.flatMap((row) => (row.merged ? [] : [{ id: numberOf(row), ...row.lead }])),
  )
  await story.copy(
    'lead_steps',
    sorted.flatMap((row) =>
      row.steps.map((step) => ({ ended_by_merge: false, ...step, lead_id: numberOf(row.merged?.into ?? row) })),
    ),
  )
  await story.copy(
    'lead_notes',
    sorted.flatMap((row) => row.notes.map((note) => ({ lead_id: numberOf(row), ...note }))),
  )
  await story.copy(
    'merged_leads',
    sorted.flatMap((row) => {
      const { at, person, origin, merged } = row
      if (!merged) return []
      const went = { lead_id: numberOf(merged.into), merged_by: merged.by, merged_at: merged.at }
      return [{ id: numberOf(row), ...person, ...origin, created_at: at, ...went }]
    }),
  )
}

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
}
