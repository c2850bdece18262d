import { NOTICE_DAYS } from '@limber/contract/growth/overview/figure.ts'
import { readHealthOverview, readHealthTrends } from '@limber/contract/growth/overview/health.ts'
import { ratioOf } from '@limber/contract/growth/overview/ratio.ts'
import { daysOf } from '@limber/contract/growth/values.ts'
import { serve } from '#platform/http/routes.ts'
import { ensureFigures } from '../figures/current.ts'
import { spanOf, toHundredths } from '../figures/span.rules.ts'
import { countPartners, countPartnersByDay, findDays, findWarnings, sumPlaces } from './health.queries.ts'

const MAX_WARNINGS = 20

const churnOf = { '7d': 'churned_7', '30d': 'churned_30', '90d': 'churned_90' } as const

export const healthRoutes = [
  serve(
    readHealthOverview,
    async ({ query: { range }, db, services }) => {
      const asOf = await ensureFigures(services)
      const { day } = asOf
      const [sum, partners, warnings] = await Promise.all([
        sumPlaces(db, daysOf(range)),
        countPartners(db, day, NOTICE_DAYS),
        findWarnings(db, day, NOTICE_DAYS, MAX_WARNINGS),
      ])
      return {
        users: {
          total: sum.users,
          withAddress: sum.located,
          withinServiceArea: sum.located - sum.outside,
          outsideServiceArea: sum.outside,
          withWaiver: sum.waivers,
          joined: sum.users - sum.users_before,
          growthPct: toHundredths(ratioOf.growthPct(sum.users - sum.users_before, sum.users_before)),
          churned: sum.churned,
          churnRatePct: toHundredths(ratioOf.churnRatePct(sum.churned, sum.active_before)),
        },
        bookings: {
          current: sum.bookings,
          previous: sum.bookings_before,
          growthPct: toHundredths(ratioOf.bookingGrowthPct(sum.bookings, sum.bookings_before)),
          cancelled: sum.cancelled,
        },
        businesses: { total: partners.total, upcomingRenewals: partners.renewals, noRecentContact: partners.silent },
        warnings: warnings.map((row) => ({
          kind: row.kind,
          businessId: row.id,
          name: row.name,
          day: row.day,
          isOverdue: row.kind !== 'no_contact' && row.day < day,
          neverContacted: row.never_contacted,
        })),
        span: spanOf(range, asOf),
      }
    },
    { mayLag: true },
  ),

  serve(
    readHealthTrends,
    async ({ query: { range }, db, services }) => {
      const asOf = await ensureFigures(services)
      const [days, partners] = await Promise.all([
        findDays(db, asOf.day, daysOf(range)),
        countPartnersByDay(db, asOf.day, daysOf(range)),
      ])
      const churn = churnOf[range]
      return {
        userGrowth: days.map(({ day, joined }) => ({ date: day, count: joined })),
        churn: days.map((row) => ({ date: row.day, count: row[churn] })),
        bookings: days.map(({ day, bookings }) => ({ date: day, count: bookings })),
        businesses: partners.map(({ day, count }) => ({ date: day, count })),
        span: spanOf(range, asOf),
      }
    },
    { mayLag: true },
  ),
]
