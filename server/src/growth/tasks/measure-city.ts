import type { TaskFigures } from '@limber/contract/growth/tasks/task.ts'
import { writeDollars } from '@limber/contract/kit/dollars.ts'
import { parseMoney } from '@limber/contract/kit/money.ts'
import type { Db } from '#platform/db/db.ts'
import { countCity, findZoneNamed, type Place } from '../map/city.queries.ts'

/** Tasks and campaigns are measured over 30 days, independent of the range on the screen. */
const MEASURED_DAYS = 30

/** The zone with that name, otherwise the users in that city outside every zone. */
export async function findPlaceNamed(db: Db, name: string): Promise<Place> {
  const zone = await findZoneNamed(db, name)
  return zone ? { zoneId: zone.id } : { city: name }
}

/** The figures that measure a city task or a campaign, as of a day. */
export async function measurePlace(db: Db, place: Place, day: string): Promise<TaskFigures> {
  const { users, active, sessions, revenue } = await countCity(db, place, day, MEASURED_DAYS)
  return { users, activeUsers: active, sessions, revenue: writeDollars(parseMoney(revenue)) }
}

export const measureCity = async (db: Db, name: string, day: string): Promise<TaskFigures> =>
  measurePlace(db, await findPlaceNamed(db, name), day)
