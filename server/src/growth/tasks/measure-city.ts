import type { TaskFigures } from '@limber/contract/growth/tasks/task.ts'
import { writeDollars } from '@limber/contract/kit/dollars.ts'
import { parseMoney } from '@limber/contract/kit/money.ts'
import type { Db } from '#platform/db/db.ts'
import { countCity, findZoneNamed, type Place } from '../map/city.queries.ts'

/** Tasks are measured over 30 days, independent of the range on the screen. */
const TASK_DAYS = 30

/** The zone with that name, otherwise the users in that city outside every zone. */
export async function findPlaceNamed(db: Db, name: string): Promise<Place> {
  const zone = await findZoneNamed(db, name)
  return zone ? { zoneId: zone.id } : { city: name }
}

/** The figures that measure a city task, as of a day. */
export async function measureCity(db: Db, name: string, day: string): Promise<TaskFigures> {
  const { users, active, sessions, revenue } = await countCity(db, await findPlaceNamed(db, name), day, TASK_DAYS)
  return { users, activeUsers: active, sessions, revenue: writeDollars(parseMoney(revenue)) }
}
