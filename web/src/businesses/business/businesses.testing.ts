import {
  type Ledger,
  listBlocks,
  type OnsiteSession,
  type PrepaidBlock,
  readLedger,
} from '@limber/contract/businesses/blocks/block.ts'
import { type Business, listBusinesses, readBusiness } from '@limber/contract/businesses/business/business.ts'
import { type EmailPage, listEmails } from '@limber/contract/businesses/emails/allowed-email.ts'
import {
  type CandidateList,
  listCandidates,
  readSession,
  type SessionDetail,
} from '@limber/contract/businesses/sessions/onsite.ts'
import { listZones } from '@limber/contract/businesses/zones/zone.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { FakeServer, Refusal } from '#platform/testing/testing.tsx'

export const makeBusiness = (more: Partial<Business> = {}): Business => ({
  id: 1,
  name: 'Mission Inn Hospitality',
  custom_path: 'mission-inn',
  admin_email: 'wellness@example.com',
  zone_id: 3,
  zone_name: 'Riverside',
  time_zone: 'America/Los_Angeles',
  rep_name: null,
  location: null,
  status: 'active',
  archived_at: null,
  version: 4,
  ...more,
})

export const makeSession = (more: Partial<OnsiteSession> = {}): OnsiteSession => ({
  id: 40,
  business_id: 1,
  block_id: 11,
  stretcher_id: 21,
  stretcher_name: 'Renata Solis',
  starts_at: '2036-11-18T17:00:00.000',
  ends_at: '2036-11-18T21:00:00.000',
  state: 'scheduled',
  slots: 12,
  taken_slots: 1,
  version: 2,
  ...more,
})

export const makeBlock = (more: Partial<PrepaidBlock> = {}): PrepaidBlock => ({
  id: 10,
  business_id: 1,
  block_hours: 4,
  slot_length_minutes: 20,
  internal_label: 'Front desk',
  is_used: 0,
  state: 'available',
  expires_on: null,
  version: 1,
  ...more,
})

export const makeDetail = (more: Partial<SessionDetail> = {}): SessionDetail => ({
  ...makeSession(),
  business_name: 'Mission Inn Hospitality',
  admin_email: 'wellness@example.com',
  stretcher_email: 'renata@example.com',
  internal_label: 'Wellness day',
  block_hours: 4,
  slot_length_minutes: 20,
  block_state: 'scheduled',
  time_zone: 'America/Los_Angeles',
  zone_name: 'Riverside',
  location: null,
  cancelled_at: null,
  cancel_reason: null,
  slot_list: [
    {
      starts_at: '2036-11-18T17:00:00.000',
      ends_at: '2036-11-18T17:20:00.000',
      participant: { name: 'Ana Ruiz', email: 'ana@example.com', rating: null },
    },
    { starts_at: '2036-11-18T17:20:00.000', ends_at: '2036-11-18T17:40:00.000', participant: null },
  ],
  ...more,
})

export const makeCandidates = (more: Partial<CandidateList> = {}): CandidateList => ({
  time_zone: 'America/Los_Angeles',
  zone_name: 'Riverside',
  ends_at: '2036-11-18T21:00:00.000',
  candidates: [
    { id: 21, name: 'Renata Solis', state: 'free', clash: null, lacks: null, next_starts: ['2036-11-18T18:00:00.000'] },
    {
      id: 22,
      name: 'Kwame Nkansah',
      state: 'busy',
      clash: {
        kind: 'onsite',
        starts_at: '2036-11-18T16:30:00.000',
        ends_at: '2036-11-18T19:30:00.000',
        business: 'Arrowhead Credit Union',
      },
      lacks: null,
      next_starts: ['2036-11-19T16:00:00.000'],
    },
    { id: 23, name: 'June Lindqvist', state: 'in_training', clash: null, lacks: null, next_starts: [] },
    {
      id: 24,
      name: 'Paolo Amato',
      state: 'not_certified',
      clash: null,
      lacks: { certification: 'On-site Safety', ended_on: '2036-10-31' },
      next_starts: [],
    },
  ],
  next_starts: [{ starts_at: '2036-11-18T18:00:00.000', stretcher_id: 21 }],
  ...more,
})

const some = (hours: number) => ({ hours, slots: hours * 3, blocks: 1 })
export const ledger: Ledger = {
  granted: some(28),
  available: some(8),
  scheduled: some(6),
  delivered: some(12),
  expired: some(2),
  returned: some(3),
  fill_rate: 0.75,
  taken_slots: 27,
}

/** Slices the requested page from a list. */
export const pageOf = (all: readonly string[], search: string, page: number, limit: number): EmailPage => {
  const found = all
    .map((email, place) => ({ id: place + 1, email, version: 1 }))
    .filter(({ email }) => email.includes(search))
  return {
    emails: found.slice((page - 1) * limit, page * limit),
    pagination: paginate(page, limit, found.length),
    total: all.length,
  }
}

interface Company {
  businesses?: Business[]
  blocks?: PrepaidBlock[]
  emails?: readonly string[]
}

/** A stub server with a few businesses, blocks and addresses. */
export function serveCompany({ businesses = [makeBusiness()], blocks = [], emails = [] }: Company = {}) {
  return new FakeServer()
    .answer(listZones, {
      zones: [{ id: 3, name: 'Riverside', time_zone: 'America/Los_Angeles', version: 1, businesses: 1, stretchers: 2 }],
      pagination: paginate(1, 500, 1),
    })
    .answer(listBusinesses, ({ query }) => {
      const found = businesses.filter(
        ({ name, archived_at }) =>
          name.toLowerCase().includes(query.search.toLowerCase()) &&
          (archived_at !== null) === (query.state === 'archived'),
      )
      return {
        businesses: found.map((one) => ({ ...one, available_hours: 8, scheduled_sessions: 1 })),
        pagination: paginate(1, 100, found.length),
        available_hours: 8 * found.length,
      }
    })
    .answer(readBusiness, ({ params }) => {
      const found = businesses.find(({ id }) => id === params.id)
      return found ?? new Refusal(404, 'not_found', 'This business does not exist.')
    })
    .answer(listBlocks, { blocks, pagination: paginate(1, 200, blocks.length) })
    .answer(readLedger, {
      ledger,
      entries: [
        {
          id: 1,
          kind: 'returned',
          block_id: 10,
          label: 'Front desk',
          hours: 3,
          slots: 9,
          reason: 'Fire drill',
          by: 'Marcus Bell',
          at: '2026-11-10T17:00:00.000Z',
        },
      ],
    })
    .answer(listEmails, ({ body }) => pageOf(emails, body.search, body.page, body.limit))
    .answer(readSession, makeDetail())
    .answer(listCandidates, makeCandidates())
}
