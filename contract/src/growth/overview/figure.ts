import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Dollars } from '#kit/dollars.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Id, IdText } from '#kit/values.ts'
import { BAD_BOX, Box } from '../map/box.ts'
import { CityName, DEFAULT_RANGE, GrowthRange, PayoutCategory, Span } from '../values.ts'

export interface FigureDefinition {
  label: string
  /** How the figure is calculated, in a sentence that a worker can verify. */
  formula: string
  /** Whether the figure depends on the range, on the current state or on a fixed number of days. */
  of: 'range' | 'now'
  /** What the figure sums or averages. Without it, the figure counts rows. */
  unit?: 'dollars' | 'credits' | 'stars'
}

/** Every growth figure that opens to its rows, with its definition in plain language. */
export const countedFigures = {
  users: { label: 'Users', formula: 'Accounts, except those that were merged or erased.', of: 'now' },
  usersBefore: { label: 'Users before', formula: 'Users who joined before the range began.', of: 'range' },
  newUsers: { label: 'New users', formula: 'Users who joined in the range.', of: 'range' },
  activeUsers: {
    label: 'Active Users',
    formula: 'Users who booked or had a session in the range. Canceled and missed sessions do not count.',
    of: 'range',
  },
  activeBefore: {
    label: 'Active before',
    formula: 'Users who booked or had a session in the previous range.',
    of: 'range',
  },
  churnedUsers: {
    label: 'Churned Users',
    formula: 'Users who were active in the previous range but not in this one.',
    of: 'range',
  },
  withAddress: { label: 'With address', formula: 'Users whose address has a location on the map.', of: 'now' },
  withinServiceArea: { label: 'Within service area', formula: 'Users whose address is in a zone.', of: 'now' },
  outsideUsers: { label: 'Outside Users', formula: 'Users whose address is outside every zone.', of: 'now' },
  withWaiver: { label: 'With waiver', formula: 'Users who signed the waiver.', of: 'now' },
  sessions: { label: 'Completed Sessions', formula: 'Completed sessions that started in the range.', of: 'range' },
  bookedSessions: {
    label: 'Booked Sessions',
    formula: 'Sessions booked in the range that are still requested, confirmed or in progress.',
    of: 'range',
  },
  bookings: {
    label: 'Current bookings',
    formula: 'Bookings made in the range, whatever their status is now.',
    of: 'range',
  },
  bookingsBefore: {
    label: 'Bookings before',
    formula: 'Bookings made in the previous range, whatever their status is now.',
    of: 'range',
  },
  cancelledBookings: {
    label: 'Canceled bookings',
    formula: 'Bookings that were canceled in the range.',
    of: 'range',
  },
  revenue: {
    label: 'Revenue',
    formula:
      "Completed payments less refunds in the range. Session payments count in the zone of the session, credit purchases in the customer's zone.",
    of: 'range',
    unit: 'dollars',
  },
  payouts: {
    label: 'Payouts',
    formula: 'Pay before deductions for work in the range. Canceled entries do not count.',
    of: 'range',
    unit: 'dollars',
  },
  availableCredits: {
    label: 'Available Credits',
    formula: 'Prepaid sessions that users have not used yet.',
    of: 'now',
    unit: 'credits',
  },
  stretchers: { label: 'Stretchers', formula: 'Active stretchers in the zone.', of: 'now' },
  ratings: {
    label: 'Ratings',
    formula: 'Ratings of sessions that started in the range. The figure is their average.',
    of: 'range',
    unit: 'stars',
  },
  businesses: { label: 'Businesses', formula: 'Partners that are not archived.', of: 'now' },
  upcomingRenewals: {
    label: 'Upcoming renewals',
    formula: 'Active partners whose renewal date is today, within the next 30 days, or overdue.',
    of: 'now',
  },
  noRecentContact: {
    label: 'No contact for over 30 days',
    formula:
      'Partners that have not ended and were last contacted (or added, if never contacted) more than 30 days ago.',
    of: 'now',
  },
} as const satisfies Record<string, FigureDefinition>

export type FigureName = keyof typeof countedFigures
export const figureNames = Object.keys(countedFigures) as [FigureName, ...FigureName[]]
export const FigureName = z.enum(figureNames)

/** Figures calculated from other figures. Shown as '--' when the divisor is zero. */
export const ratioFigures = {
  growthPct: {
    label: 'User growth',
    formula: 'New users in the range, divided by the users before it.',
    of: 'range',
    parts: ['newUsers', 'usersBefore'],
  },
  churnRatePct: {
    label: 'Churn rate',
    formula: 'Churned users, divided by the users who were active in the previous range.',
    of: 'range',
    parts: ['churnedUsers', 'activeBefore'],
  },
  bookingGrowthPct: {
    label: 'Booking growth',
    formula: 'Change in bookings from the previous range, divided by the bookings of the previous range.',
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
    formula: 'Average rating of sessions that started in the range.',
    of: 'range',
    parts: ['ratings'],
  },
} as const satisfies Record<string, FigureDefinition & { parts: readonly FigureName[] }>

export type RatioName = keyof typeof ratioFigures

/** How many days before a renewal, or after the last contact, a partner gets a warning. */
export const NOTICE_DAYS = 30

/** One person, session, payment or partner behind a figure. */
export const FigureRow = z.object({
  id: Id,
  name: z.string(),
  detail: z.string().nullable(),
  /** The zone, or the city for customers outside every zone. */
  place: z.string().nullable(),
  /** The day the row counts for, in the company's time zone. */
  day: Day.nullable(),
  amount: Dollars.nullable(),
  /** The customer to link to. */
  userId: Id.nullable(),
})
export type FigureRow = z.infer<typeof FigureRow>

const scope = {
  range: GrowthRange.default(DEFAULT_RANGE),
  /** Limits the rows to this zone. */
  zoneId: IdText.optional(),
  /** Limits the rows to the part of this city that is outside every zone. */
  city: CityName.optional(),
  /** Limits the rows to the zones that intersect the bounding box, as on the map. */
  bbox: Box.optional(),
  /** Limits payouts to this category; refused for other figures. */
  category: PayoutCategory.optional(),
}
const params = z.strictObject({ figure: FigureName })
const refusals = {
  bad_box: BAD_BOX,
  one_place: [400, 'Name at most one zone, city or bounding box.'],
  only_pay: [400, 'Only payouts have a category.'],
} as const

/** The rows behind a figure. */
export const listFigureRows = defineCall({
  method: 'GET',
  path: '/api/marketing/figures/:figure',
  summary: 'The rows behind a growth figure',
  permission: 'growth.people',
  params,
  query: z.strictObject({ ...scope, ...pageQuery({ limit: 20 }) }),
  reply: z.object({
    /** The figure calculated from these rows: their count, sum or average. Null for an average of no rows. */
    value: z.number().nullable(),
    rows: z.array(FigureRow),
    pagination: Pagination,
    span: Span,
  }),
  refusals,
})
export type FigureRows = ReplyOf<typeof listFigureRows>

export const exportFigureRows = exportCall(listFigureRows, 'figure')
