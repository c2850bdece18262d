import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Dollars } from '#kit/dollars.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Id, IdText } from '#kit/values.ts'
import { BAD_BOX, Box } from '../map/box.ts'
import { CityName, DEFAULT_RANGE, GrowthRange, PayoutCategory, Span } from '../values.ts'

export interface FigureWords {
  label: string
  /** How it is counted, in a sentence a person can check. */
  formula: string
  /** Whether it looks at the range, at this moment, or at days that are fixed. */
  of: 'range' | 'now'
  /** What it is a sum or a mean of; without this the rows themselves are counted. */
  unit?: 'dollars' | 'credits' | 'stars'
}

/** Every growth number that opens to the rows behind it, in words: the one definition that people read. */
export const countedFigures = {
  users: { label: 'Users', formula: 'Accounts that were neither merged into another nor erased.', of: 'now' },
  usersBefore: { label: 'Users before', formula: 'Users who joined before the range began.', of: 'range' },
  newUsers: { label: 'New users', formula: 'Users who joined in the range.', of: 'range' },
  activeUsers: {
    label: 'Active Users',
    formula: 'Users who booked a session in the range, or had one: cancelled and missed ones do not count.',
    of: 'range',
  },
  activeBefore: {
    label: 'Active before',
    formula: 'Users who booked or had a session in as many days before the range.',
    of: 'range',
  },
  churnedUsers: {
    label: 'Churned Users',
    formula: 'Users who were active in as many days before the range and are not active in the range.',
    of: 'range',
  },
  withAddress: { label: 'With address', formula: 'Users whose address is known on the map.', of: 'now' },
  withinServiceArea: { label: 'Within service area', formula: 'Users whose address lies in a zone.', of: 'now' },
  outsideUsers: { label: 'Outside Users', formula: 'Users whose address lies in no zone.', of: 'now' },
  withWaiver: { label: 'With waiver', formula: 'Users who signed the waiver.', of: 'now' },
  sessions: { label: 'Completed Sessions', formula: 'Completed sessions that began in the range.', of: 'range' },
  bookedSessions: {
    label: 'Booked Sessions',
    formula: 'Sessions booked in the range that are still requested, confirmed or under way.',
    of: 'range',
  },
  bookings: { label: 'Current bookings', formula: 'Bookings made in the range, whatever became of them.', of: 'range' },
  bookingsBefore: {
    label: 'Bookings before',
    formula: 'Bookings made in as many days before the range, whatever became of them.',
    of: 'range',
  },
  cancelledBookings: {
    label: 'Cancelled bookings',
    formula: 'Bookings that were cancelled in the range.',
    of: 'range',
  },
  revenue: {
    label: 'Revenue',
    formula:
      "Completed payments less refunds of the range. A session's money belongs to the zone of the session, bought credits to the zone of the customer.",
    of: 'range',
    unit: 'dollars',
  },
  payouts: {
    label: 'Payouts',
    formula: 'Pay, before deductions, for work of the range; cancelled entries do not count.',
    of: 'range',
    unit: 'dollars',
  },
  availableCredits: {
    label: 'Available Credits',
    formula: 'Prepaid sessions that users have not used yet.',
    of: 'now',
    unit: 'credits',
  },
  stretchers: { label: 'Stretchers', formula: 'Active stretchers of the zone.', of: 'now' },
  ratings: {
    label: 'Ratings',
    formula: 'Ratings of sessions that began in the range; the figure is their mean.',
    of: 'range',
    unit: 'stars',
  },
  businesses: { label: 'Businesses', formula: 'Partners that are not archived.', of: 'now' },
  upcomingRenewals: {
    label: 'Upcoming renewals',
    formula: 'Active partners whose day of renewal is today, within the next 30 days, or has passed.',
    of: 'now',
  },
  noRecentContact: {
    label: 'No contact over 30 days',
    formula: 'Partners that have not ended and were last contacted, or else added, more than 30 days ago.',
    of: 'now',
  },
} as const satisfies Record<string, FigureWords>

export type FigureName = keyof typeof countedFigures
export const figureNames = Object.keys(countedFigures) as [FigureName, ...FigureName[]]
export const FigureName = z.enum(figureNames)

/** Numbers made of others. Without a divisor there is none, and '--' is shown. */
export const ratioFigures = {
  growthPct: {
    label: 'User growth',
    formula: 'New users of the range, divided by the users before it.',
    of: 'range',
    parts: ['newUsers', 'usersBefore'],
  },
  churnRatePct: {
    label: 'Churn rate',
    formula: 'Churned users, divided by the users who were active in as many days before the range.',
    of: 'range',
    parts: ['churnedUsers', 'activeBefore'],
  },
  bookingGrowthPct: {
    label: 'Booking growth',
    formula: 'Bookings of the range less those of the range before, divided by those of the range before.',
    of: 'range',
    parts: ['bookings', 'bookingsBefore'],
  },
  activePct: {
    label: 'Active %',
    formula: 'Active users, divided by users.',
    of: 'range',
    parts: ['activeUsers', 'users'],
  },
  perSession: {
    label: '$/Sess+Cred',
    formula: 'Revenue, divided by completed sessions, booked sessions and available credits together.',
    of: 'range',
    parts: ['revenue', 'sessions', 'bookedSessions', 'availableCredits'],
  },
  perStretcher: {
    label: 'Sess/Stretcher',
    formula: 'Completed sessions, divided by active stretchers.',
    of: 'range',
    parts: ['sessions', 'stretchers'],
  },
  avgRating: {
    label: 'Avg rating',
    formula: 'Mean of the ratings of sessions that began in the range.',
    of: 'range',
    parts: ['ratings'],
  },
} as const satisfies Record<string, FigureWords & { parts: readonly FigureName[] }>

export type RatioName = keyof typeof ratioFigures

/** How near an end of a partnership is noticed, and how long a silence may last, in days. */
export const NOTICE_DAYS = 30

/** One person, session, payment or partner behind a figure. */
export const FigureRow = z.object({
  id: Id,
  name: z.string(),
  detail: z.string().nullable(),
  /** The zone, or for people outside every zone their city. */
  place: z.string().nullable(),
  /** The day, by the company's clocks, for which it counts. */
  day: Day.nullable(),
  amount: Dollars.nullable(),
  /** The customer whose page says more. */
  userId: Id.nullable(),
})
export type FigureRow = z.infer<typeof FigureRow>

const scope = {
  range: GrowthRange.default(DEFAULT_RANGE),
  /** Only of this zone. */
  zoneId: IdText.optional(),
  /** Only of this city, as far as it lies outside every zone. */
  city: CityName.optional(),
  /** Only of the zones that a box touches, as the map counts them. */
  bbox: Box.optional(),
  /** Only pay of this kind; of no other figure. */
  category: PayoutCategory.optional(),
}
const params = z.strictObject({ figure: FigureName })
const refusals = {
  bad_box: BAD_BOX,
  one_place: [400, 'Name one of a zone, a city or a box.'],
  only_pay: [400, 'Only payouts have a category.'],
} as const

/** The rows behind a number; as many as the number says. */
export const listFigureRows = defineCall({
  method: 'GET',
  path: '/api/marketing/figures/:figure',
  summary: 'The people or rows behind a growth number',
  permission: 'growth.people',
  params,
  query: z.strictObject({ ...scope, ...pageQuery({ limit: 20 }) }),
  reply: z.object({
    /** The number itself, made of the very rows: their count, sum or mean. Nothing for a mean of nothing. */
    value: z.number().nullable(),
    rows: z.array(FigureRow),
    pagination: Pagination,
    span: Span,
  }),
  refusals,
})
export type FigureRows = ReplyOf<typeof listFigureRows>

export const exportFigureRows = defineCall({
  method: 'GET',
  path: '/api/marketing/figures/:figure/export',
  summary: 'The rows behind a growth number as CSV',
  permission: 'growth.people',
  params,
  query: z.strictObject(scope),
  reply: z.unknown(),
  replyType: 'stream',
  refusals,
})
