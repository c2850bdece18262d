import { slotsOf } from '@limber/contract/businesses/blocks/block.ts'
import { dayIn } from '@limber/contract/kit/zone-time.ts'
import { draftBlock, draftBusiness } from '@limber/server/businesses/business/business.factory.ts'
import { DAY, HOUR, shift } from '@limber/server/platform/clock.ts'
import type { Tables } from '@limber/server/platform/db/db.ts'
import { type Partner, partners } from '../businesses/partners.ts'
import { loadSchedule, type Schedule } from '../businesses/schedule.ts'
import { TIME_ZONE } from '../calendar.ts'
import { type PersonName, pickName } from '../people/names.ts'
import type { Random } from '../random.ts'
import type { SeedContext, Seeder } from '../seeder.ts'

/** Eighteen partners at every stage, with prepaid blocks, on-site sessions and allowed emails. The same at every scale. */
export const businesses: Seeder = {
  name: 'Businesses',
  async seed(context) {
    const zones = await context.db.selectFrom('zones').select(['id', 'name']).execute()
    const staff = await context.db.selectFrom('workers').select(['id']).where('role', '=', 'Operations').execute()
    const output = emptyTables(
      context,
      await loadSchedule(context),
      staff.map(({ id }) => Number(id)),
    )
    for (const [index, partner] of partners.entries()) {
      const zone = zones.find(({ name }) => name === partner.zone)
      if (!zone) throw new Error(`No zone for ${partner.name}`)
      addPartner(context, output, { ...partner, id: index + 1, zoneId: Number(zone.id) })
    }
    // Ledger entries are read in the order of time.
    output.rows.block_entries.sort((a, b) => a.created_at.getTime() - b.created_at.getTime())
    for (const [index, entry] of output.rows.block_entries.entries()) entry.id = index + 1
    for (const [table, rows] of Object.entries(output.rows)) await context.copy(table, rows)
  },
}

interface SeededPartner extends Partner {
  id: number
  zoneId: number
}

/** Rows by table, in the order of insertion. */
function emptyTables({ calendar }: SeedContext, schedule: Schedule, staff: readonly number[]) {
  const rows = {
    businesses: [] as object[],
    business_notes: [] as object[],
    business_emails: [] as object[],
    prepaid_blocks: [] as object[],
    onsite_sessions: [] as object[],
    onsite_participants: [] as object[],
    block_entries: [] as { created_at: Date; id: number }[],
  }
  return { rows, schedule, staff, calendar }
}
type Output = ReturnType<typeof emptyTables>

const ascii = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, '')

interface Employee extends PersonName {
  email: string
}

/** The employees of a business. People with the same name get a number in their email address. */
function makeEmployees(random: Random, path: string, count: number): Employee[] {
  const taken = new Map<string, number>()
  return Array.from({ length: count }, () => {
    const person = pickName(random)
    const local = `${ascii(person.first_name)}.${ascii(person.last_name)}`
    const nth = (taken.get(local) ?? 0) + 1
    taken.set(local, nth)
    return { ...person, email: `${local}${nth > 1 ? nth : ''}@${path}.example.com` }
  })
}

function addPartner(context: SeedContext, output: Output, partner: SeededPartner) {
  const { calendar } = context
  const random = context.random(`businesses/${partner.path}`)
  const day = (from: number) => dayIn(TIME_ZONE, calendar.at(from, 12 * 60))
  const created_at = calendar.at(-partner.since, 10 * 60)
  output.rows.businesses.push({
    id: partner.id,
    ...draftBusiness({
      name: partner.name,
      custom_path: partner.path,
      admin_email: `wellness@${partner.path}.example.com`,
      rep_name: partner.rep,
      location: partner.location,
      zone_id: partner.zoneId,
      kind: partner.kind ?? 'business',
      stage: partner.stage,
      pilot_ends_on: partner.stage === 'pending' ? day(90 - partner.since) : null,
      renews_on: partner.renewsIn === undefined ? null : day(partner.renewsIn),
      ended_reason: partner.ended ?? null,
      times_contacted: partner.contacts,
      last_contact_at: calendar.at(-random.integer(1, Math.min(partner.since, 45)), random.integer(540, 1020)),
      archived_at: partner.isArchived ? calendar.at(-100, 11 * 60) : null,
      created_at,
    }),
  })
  writeNotes(output, partner)
  const people = makeEmployees(random, partner.path, partner.addresses)
  for (const { email } of people)
    output.rows.business_emails.push({
      id: output.rows.business_emails.length + 1,
      business_id: partner.id,
      email,
      created_at,
    })
  for (const plan of partner.blocks) writeBlock(output, partner, plan, people, random)
}

const notes = {
  contacted: 'Sent the first email.',
  pending: 'Started a 90-day pilot.',
  active: 'Signed a one-year contract.',
  ended: '',
}
const stages = ['contacted', 'pending', 'active', 'ended'] as const

function writeNotes({ rows, staff, calendar }: Output, { id, stage, since, ended }: SeededPartner) {
  const reached = stages.slice(0, stages.indexOf(stage) + 1)
  for (const [index, one] of reached.entries())
    rows.business_notes.push({
      id: rows.business_notes.length + 1,
      business_id: id,
      worker_id: staff[index % staff.length] ?? null,
      stage: one,
      note: one === 'ended' ? (ended ?? 'Partnership ended.') : notes[one],
      created_at: calendar.at(-Math.floor(since * (1 - index / 5)), 11 * 60),
    })
}

function writeBlock(
  output: Output,
  partner: SeededPartner,
  plan: Partner['blocks'][number],
  people: readonly Employee[],
  random: Random,
) {
  const { rows, calendar, schedule, staff } = output
  const { hours, slot, label, outcome } = plan
  const id = rows.prepaid_blocks.length + 1
  const worker_id = random.pick(staff)
  const slots = slotsOf(hours, slot)
  const addEntry = (
    kind: Tables['block_entries']['kind'],
    created_at: Date,
    session_id: number | null = null,
    reason: string | null = null,
  ) =>
    rows.block_entries.push({
      id: rows.block_entries.length + 1,
      business_id: partner.id,
      block_id: id,
      kind,
      hours,
      slots,
      label,
      session_id,
      worker_id,
      reason,
      created_at,
    } as { created_at: Date; id: number })

  const wantedDay = typeof outcome === 'number' ? outcome : typeof outcome === 'object' ? outcome.cancelled : undefined
  const found = wantedDay === undefined ? undefined : schedule.take(partner.zoneId, wantedDay, hours)
  const before =
    wantedDay === undefined ? -Math.min(partner.since - 1, random.integer(10, 40)) : Math.min(wantedDay, 0) - 20
  const granted = calendar.at(Math.max(before, -partner.since + 1), 9 * 60 + random.integer(0, 400))
  const scheduledAt = calendar.at(Math.max(before, -partner.since + 1) + 3, 9 * 60 + random.integer(0, 400))
  const isCancelled = typeof outcome === 'object'
  rows.prepaid_blocks.push({
    id,
    ...draftBlock({
      business_id: partner.id,
      block_hours: hours,
      slot_length_minutes: slot,
      internal_label: label,
      expires_on:
        outcome === 'expired'
          ? dayIn(TIME_ZONE, calendar.at(-6, 720))
          : outcome === 'unused' && random.chance(0.5)
            ? dayIn(TIME_ZONE, calendar.at(random.integer(20, 120), 720))
            : null,
      used_at: found && !isCancelled ? scheduledAt : null,
      created_at: outcome === 'expired' ? shift(granted, -40 * DAY) : granted,
    }),
  })
  addEntry('granted', outcome === 'expired' ? shift(granted, -40 * DAY) : granted)
  if (!found) return
  const sessionId = rows.onsite_sessions.length + 1
  const cancelled_at = isCancelled ? shift(calendar.now, -random.integer(3, 30) * HOUR) : null
  rows.onsite_sessions.push({
    id: sessionId,
    business_id: partner.id,
    block_id: id,
    stretcher_id: found.stretcherId,
    starts_at: found.startsAt,
    ends_at: shift(found.startsAt, hours * HOUR),
    cancelled_at,
    cancel_reason: cancelled_at ? 'The room is not available that day' : null,
    version: 1,
    created_at: scheduledAt,
  })
  addEntry('scheduled', scheduledAt, sessionId)
  if (cancelled_at) return addEntry('returned', cancelled_at, sessionId, 'The room is not available that day')
  const isPast = found.startsAt < calendar.now
  const share = isPast ? random.between(0.55, 0.98) : random.between(0.15, 0.7)
  for (let nth = 0; nth < slots; nth++) {
    const person = people[Math.floor(random.next() * people.length)]
    if (!person || !random.chance(share)) continue
    rows.onsite_participants.push({
      id: rows.onsite_participants.length + 1,
      session_id: sessionId,
      slot: nth,
      name: `${person.first_name} ${person.last_name}`,
      email: person.email,
      customer_id: null,
      rating: isPast && random.chance(0.7) ? 1 + random.weighted([1, 2, 5, 20, 70]) : null,
      booked_at: shift(scheduledAt, random.integer(1, 60) * HOUR),
    })
  }
}
