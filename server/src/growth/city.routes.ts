import { readCitySummary } from '@limber/contract/growth/city.ts'
import { daysOf, type PlaceMetrics } from '@limber/contract/growth/values.ts'
import { writeDollars } from '@limber/contract/kit/dollars.ts'
import { parseMoney } from '@limber/contract/kit/money.ts'
import type { Db } from '#platform/db.ts'
import { refuse } from '#platform/refusal.ts'
import { serve } from '#platform/routes.ts'
import { countCity } from './city.queries.ts'
import { currentFigures } from './current.ts'
import { presentMetrics, presentPayouts } from './place.present.ts'
import { findPlace, findZoneName } from './place.queries.ts'
import { spanOf } from './span.rules.ts'
import { presentTask } from './task.present.ts'
import { findTasks } from './task.queries.ts'

const MOST_TASKS = 20

/** A city outside every zone has people and no sessions, stretchers or pay. */
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

const tasksOf = async (db: Db, city: string) => {
  const { rows } = await findTasks(db, { status: '', assignee: '', city }, { limit: MOST_TASKS, offset: 0 })
  return rows.map(presentTask)
}

export const cityRoutes = [
  serve(readCitySummary, async ({ query: { range, zoneId, city }, db, services }) => {
    if ((zoneId === undefined) === (city === undefined)) throw refuse(readCitySummary, 'which')
    const standing = await currentFigures(services)
    const span = spanOf(range, standing)
    const days = daysOf(range)
    if (city !== undefined) {
      const metrics = await measureOutside(db, city, standing.day, days)
      return { name: city, zoneId: null, metrics, tasks: await tasksOf(db, city), span }
    }
    const zone = await findZoneName(db, zoneId ?? 0)
    const place = zone && (await findPlace(db, days, zone.id))
    if (!place) throw refuse(readCitySummary, 'not_found')
    return {
      name: zone.name,
      zoneId: zone.id,
      metrics: presentMetrics(place),
      tasks: await tasksOf(db, zone.name),
      span,
    }
  }),
]
