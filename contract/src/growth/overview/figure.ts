import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { type FigureDefinition, figurePage, figureReply, figureSearch } from '#kit/figure.ts'
import { IdText } from '#kit/values.ts'
import { BAD_BOX, Box } from '../map/box.ts'
import { CityName, DEFAULT_RANGE, GrowthRange, PayoutCategory, Span } from '../values.ts'

/** How many days the results of the team cover. */
export const SUMMARY_DAYS = 90

interface GrowthFigure extends FigureDefinition {
  /** Whether the figure depends on the range, on the current state or on a fixed number of days. */
  of: 'range' | 'now'
  /** The figure can be limited to one worker or one campaign. */
  by?: 'worker' | 'campaign'
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
  naturalGrowth: { label: 'Natural Growth', formula: 'Users without a referrer.', of: 'now' },
  stretcherReferrals: { label: 'Stretcher Refs', formula: 'Users whom a stretcher referred.', of: 'now' },
  workerReferrals: { label: 'Worker Refs', formula: 'Users whom a worker referred.', of: 'now' },
  userReferrals: { label: 'User Refs', formula: 'Users whom another user referred.', of: 'now' },
  pendingReferrals: {
    label: 'Pending Referrals',
    formula: 'Referred users who have not completed a session yet.',
    of: 'now',
  },
  convertedReferrals: {
    label: 'Converted Referrals',
    formula: 'Referred users who completed a session.',
    of: 'now',
  },
  redeemableReferrals: {
    label: 'Redeemable Referrals',
    formula:
      'Converted referrals of each user, less the rewards already credited. Suspicious referrals count only after approval.',
    of: 'now',
    unit: 'rewards',
  },
  referralEarnings: {
    label: 'Total Earnings',
    formula: 'Completed payments of referred users, less refunds.',
    of: 'now',
    unit: 'dollars',
  },
  storedEarnings: {
    label: 'Stored Earnings',
    formula: 'Completed payments, less refunds, of referred users who have not completed a session yet.',
    of: 'now',
    unit: 'dollars',
  },
  topReferrer: {
    label: 'Top Referrer',
    formula: 'Users of the stretcher, worker or user who referred the most.',
    of: 'now',
  },
  topEarner: {
    label: 'Top Earner',
    formula:
      'Completed payments, less refunds, of the users whom one stretcher, worker or user referred: the highest sum.',
    of: 'now',
    unit: 'dollars',
  },
  stretcherReferralBookings: {
    label: 'Stretcher Referral Bookings',
    formula: 'Users whom a stretcher referred and who booked at least once.',
    of: 'now',
  },
  workerReferralBookings: {
    label: 'Worker Referral Bookings',
    formula: 'Users whom a worker referred and who booked at least once.',
    of: 'now',
  },
  userReferralBookings: {
    label: 'User Referral Bookings',
    formula: 'Users whom another user referred and who booked at least once.',
    of: 'now',
  },
  teamLeads: { label: 'Leads received', formula: `Leads received in the last ${SUMMARY_DAYS} days.`, of: 'now' },
  teamConversions: {
    label: 'Leads converted',
    formula: `Leads received in the last ${SUMMARY_DAYS} days that are converted now.`,
    of: 'now',
  },
  leadResponse: {
    label: 'Avg lead response time',
    formula: `Average minutes from a lead's arrival to the first response, of the leads received in the last ${SUMMARY_DAYS} days that got one.`,
    of: 'now',
    unit: 'minutes',
  },
  managedCampaigns: {
    label: 'Campaigns managed',
    formula: 'Active and paused campaigns that are assigned to a team member.',
    of: 'now',
  },
  contactedLeads: {
    label: 'Contacted',
    formula: 'Leads that the worker moved to Contacted.',
    of: 'now',
    by: 'worker',
  },
  convertedLeads: {
    label: 'Converted',
    formula: 'Leads that the worker converted and that are still converted.',
    of: 'now',
    by: 'worker',
  },
  activeCampaigns: {
    label: 'Active',
    formula: 'Campaigns that run now, without those that start later.',
    of: 'now',
  },
  completedCampaigns: { label: 'Completed', formula: 'Campaigns that are completed.', of: 'now' },
  campaignLeads: { label: 'Leads', formula: 'Leads that came from campaigns.', of: 'now', by: 'campaign' },
  campaignConversions: {
    label: 'Conversions',
    formula: 'Leads that came from campaigns and are converted now.',
    of: 'now',
    by: 'campaign',
  },
} as const satisfies Record<string, GrowthFigure>

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
    signs: ['÷'],
  },
  churnRatePct: {
    label: 'Churn rate',
    formula: 'Churned users, divided by the users who were active in the previous range.',
    of: 'range',
    parts: ['churnedUsers', 'activeBefore'],
    signs: ['÷'],
  },
  bookingGrowthPct: {
    label: 'Booking growth',
    formula: 'Change in bookings from the previous range, divided by the bookings of the previous range.',
    of: 'range',
    parts: ['bookings', 'bookingsBefore'],
    signs: ['compared with'],
  },
  activePct: {
    label: 'Active %',
    formula: 'Active users, divided by users.',
    of: 'range',
    parts: ['activeUsers', 'users'],
    signs: ['÷'],
  },
  perSession: {
    label: '$/Sess+Cred',
    formula: 'Revenue, divided by completed sessions, booked sessions and available credits together.',
    of: 'range',
    parts: ['revenue', 'sessions', 'bookedSessions', 'availableCredits'],
    signs: ['÷ (', '+', '+', ')'],
  },
  perStretcher: {
    label: 'Sess/Stretcher',
    formula: 'Completed sessions, divided by active stretchers.',
    of: 'range',
    parts: ['sessions', 'stretchers'],
    signs: ['÷'],
  },
  avgRating: {
    label: 'Avg rating',
    formula: 'Average rating of sessions that started in the range.',
    of: 'range',
    parts: ['ratings'],
  },
  teamConversionRate: {
    label: 'Team conversion rate',
    formula: `Leads received in the last ${SUMMARY_DAYS} days that are converted now, divided by all leads of these days.`,
    of: 'now',
    parts: ['teamConversions', 'teamLeads'],
    signs: ['÷'],
  },
  campaignRate: {
    label: 'Rate',
    formula: 'Leads of the campaign that are converted now, divided by all its leads.',
    of: 'now',
    parts: ['campaignConversions', 'campaignLeads'],
    signs: ['÷'],
  },
} as const satisfies Record<string, GrowthFigure & { parts: readonly FigureName[] }>

export type RatioName = keyof typeof ratioFigures

/** How many days before a renewal, or after the last contact, a partner gets a warning. */
export const NOTICE_DAYS = 30

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
  /** Limits leads to those of this worker; refused for figures that are not counted by worker. */
  workerId: IdText.optional(),
  /** Limits leads to those of this campaign; refused for figures that are not counted by campaign. */
  campaignId: IdText.optional(),
}
const params = z.strictObject({ figure: FigureName })
const refusals = {
  bad_box: BAD_BOX,
  one_place: [400, 'Name at most one zone, city or bounding box.'],
  only_pay: [400, 'Only payouts have a category.'],
  not_by: [400, 'This figure is not counted by worker or campaign.'],
} as const

/** The rows behind a figure. */
export const listFigureRows = defineCall({
  method: 'GET',
  path: '/api/marketing/figures/:figure',
  summary: 'The rows behind a growth figure',
  permission: 'growth.people',
  params,
  query: z.strictObject({
    ...scope,
    /** The range before this one has the same length. */
    period: z.enum(['this', 'previous']).default('this'),
    ...figureSearch,
    ...figurePage,
  }),
  reply: z.object({
    ...figureReply,
    span: Span,
  }),
  refusals,
})
export type FigureRows = ReplyOf<typeof listFigureRows>

export const exportFigureRows = exportCall(listFigureRows, 'figure')
