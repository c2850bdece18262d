import { boxAt } from '@limber/contract/businesses/zones/area.ts'
import { readCitySummary } from '@limber/contract/growth/map/city.ts'
import { daysOf, type PlaceMetrics } from '@limber/contract/growth/values.ts'
import type { QueryOf } from '@limber/contract/kit/call.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { writeDollars } from '@limber/contract/kit/dollars.ts'
import { parseMoney } from '@limber/contract/kit/money.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { presentPlaceCampaign } from '../campaigns/result.present.ts'
import { findResultsOf } from '../campaigns/result.queries.ts'
import { ensureFigures } from '../figures/current.ts'
import { spanOf } from '../figures/span.rules.ts'
import { findPlaceNamed } from '../tasks/measure-city.ts'
import { presentTask } from '../tasks/task.present.ts'
import { findTasks } from '../tasks/task.queries.ts'
import { countCity, type Place } from './city.queries.ts'
import { presentMetrics, presentPayouts } from './place.present.ts'
import { findOutlier, findPlace, findZone } from './place.queries.ts'

const MAX_TASKS = 20
const MAX_CAMPAIGNS = 10

/** A city outside every zone has customers but no sessions, stretchers or pay. */
async function measureOutside(db: Db, city: string, day: string, days: number): Promise<PlaceMetrics> {
  const figures = await countCity(db, { city }, day, days)
  return {
    users: figures.users,
    activeUsers: figures.active,
    churnedUsers: figures.churned,
    sessions: figures.sessions,
    bookedSessions: figures.booked,
    revenue: writeDollars(parseMoney(figures.revenue)),
    stretchers: 0,
    avgRating: null,
    ratings: 0,
    availableCredits: figures.credits,
    payouts: presentPayouts({}),
  }
}

/** What is planned for a place. */
async function plansOf(db: Db, city: string, today: string) {
  const { rows } = await findTasks(db, { status: '', assignee: '', city }, { limit: MAX_TASKS, offset: 0 })
  const campaigns = await findResultsOf(db, city, MAX_CAMPAIGNS)
  return { tasks: rows.map(presentTask), campaigns: campaigns.map((row) => presentPlaceCampaign(row, today)) }
}

/** Accepts exactly one of the three ways to name a place. */
async function findRequestedPlace(
  db: Db,
  { zoneId, city, place }: Omit<QueryOf<typeof readCitySummary>, 'range'>,
): Promise<Place> {
  const [only, ...others] = [
    ...(zoneId === undefined ? [] : [{ zoneId }]),
    ...(city === undefined ? [] : [{ city }]),
    ...(place === undefined ? [] : [await findPlaceNamed(db, place)]),
  ]
  if (!only || others.length > 0) throw refuse(readCitySummary, 'which')
  return only
}

export const cityRoutes = [
  serve(readCitySummary, async ({ query: { range, ...asked }, db, services, now }) => {
    const found = await findRequestedPlace(db, asked)
    const asOf = await ensureFigures(services)
    const span = spanOf(range, asOf)
    const today = companyDay(now)
    const days = daysOf(range)
    if ('city' in found) {
      const metrics = await measureOutside(db, found.city, asOf.day, days)
      const at = await findOutlier(db, found.city)
      const box = at ? boxAt(at) : null
      return { name: found.city, zoneId: null, box, metrics, ...(await plansOf(db, found.city, today)), span }
    }
    const zone = await findZone(db, found.zoneId)
    const place = zone && (await findPlace(db, days, zone.id))
    if (!place) throw refuse(readCitySummary, 'not_found')
    const { id, name, ...box } = zone
    return {
      name,
      zoneId: id,
      box,
      metrics: presentMetrics(place),
      ...(await plansOf(db, name, today)),
      span,
    }
  }),
]
