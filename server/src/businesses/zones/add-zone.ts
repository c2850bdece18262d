import { boxOf } from '@limber/contract/businesses/zones/area.ts'
import { type CreateZone, createZone, type updateZone } from '@limber/contract/businesses/zones/zone.ts'
import { isTimeZone } from '@limber/contract/kit/zone-time.ts'
import type { Db } from '#platform/db/db.ts'
import type { Work } from '#platform/db/work.ts'
import { refuse } from '#platform/http/refusal.ts'
import { closeRings, polygonProblem } from './polygon.rules.ts'
import { rezoneMessage } from './rezone.ts'
import { hasTimeZone, insertZone, type ZoneRecord } from './zone.queries.ts'

/** The validated zone of a form: an existing time zone and a valid area. */
export async function shapeOf(call: typeof createZone | typeof updateZone, db: Db, body: CreateZone) {
  const { name, time_zone } = body
  if (!isTimeZone(time_zone) || !(await hasTimeZone(db, time_zone))) throw refuse(call, 'bad_time_zone')
  const geometry = closeRings(body.geometry)
  const what = polygonProblem(geometry)
  if (what) throw refuse(call, 'bad_polygon', { values: { what } })
  return { name, time_zone, geometry, ...boxOf(geometry) }
}

export const auditedFields = ({
  name,
  time_zone,
  west,
  south,
  east,
  north,
}: Omit<ZoneRecord, 'id' | 'geometry' | 'version'>) => ({
  name,
  time_zone,
  box: [south, west, north, east],
})

/** Adds a zone. After the commit, customers in its area are assigned to it. */
export async function addZone({ db, now, enqueue, audit, emit, publish }: Work, body: CreateZone): Promise<number> {
  const shape = await shapeOf(createZone, db, body)
  const zone = await insertZone(db, shape, now)
  if (!zone) throw refuse(createZone, 'name_taken')
  enqueue(rezoneMessage(zone.id, now, [shape]))
  audit({ action: 'zone_created', subject: 'zone', subjectId: zone.id, after: auditedFields(shape) })
  emit({ type: 'zone.changed', of: 'zone', ids: { zone: zone.id }, facts: { change: 'created' } })
  publish('businesses', { zone: zone.id })
  return zone.id
}
