import { type Box, boxOf } from '@limber/contract/businesses/zones/area.ts'
import {
  createZone,
  deleteZone,
  listZones,
  readZone,
  updateZone,
  type ZonePolygon,
} from '@limber/contract/businesses/zones/zone.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { isTimeZone } from '@limber/contract/kit/zone-time.ts'
import type { Db } from '#platform/db/db.ts'
import { containing } from '#platform/db/like.ts'
import type { Work } from '#platform/db/work.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { countInWords } from '../business/business.rules.ts'
import { closeRings, polygonProblem } from './polygon.rules.ts'
import { rezoneMessage } from './rezone.ts'
import { presentZone, presentZoneRow } from './zone.present.ts'
import {
  countZoneUse,
  findZoneRecord,
  findZones,
  findZonesNear,
  hasTimeZone,
  insertZone,
  isZoneNameTaken,
  lockZone,
  removeZone,
  saveZone,
  type ZoneRecord,
} from './zone.queries.ts'

const MAX_NEIGHBORS = 40

async function show(db: Db, id: number) {
  const zone = await findZoneRecord(db, id)
  if (!zone) throw refuse(readZone, 'not_found')
  return presentZone(zone, await findZonesNear(db, widen(zone), MAX_NEIGHBORS))
}

/** A margin around the bounding box, so that the map shows what is next to it. */
function widen({ west, south, east, north }: Box): Box {
  const [x, y] = [(east - west) / 4, (north - south) / 4]
  return { west: west - x, south: south - y, east: east + x, north: north + y }
}

/** The validated zone of a form: an existing time zone and a valid area. */
async function shapeOf(
  call: typeof createZone | typeof updateZone,
  db: Db,
  body: { name: string; time_zone: string; geometry: ZonePolygon },
) {
  const { name, time_zone } = body
  if (!isTimeZone(time_zone) || !(await hasTimeZone(db, time_zone))) throw refuse(call, 'bad_time_zone')
  const geometry = closeRings(body.geometry)
  const what = polygonProblem(geometry)
  if (what) throw refuse(call, 'bad_polygon', { values: { what } })
  return { name, time_zone, geometry, ...boxOf(geometry) }
}

const isMoved = (before: ZoneRecord, after: { geometry: unknown }) =>
  JSON.stringify(before.geometry) !== JSON.stringify(after.geometry)

const auditedFields = ({
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

/** After the commit, reassigns customers near the old and the new area. */
function enqueueRezone({ enqueue, now }: Pick<Work, 'enqueue' | 'now'>, id: number, ...boxes: Box[]) {
  enqueue(rezoneMessage(id, now, boxes))
}

export const zoneRoutes = [
  serve(listZones, async ({ query: { page, limit, search }, db }) => {
    const pattern = search.trim() === '' ? undefined : containing(search.trim())
    const { total, rows } = await findZones(db, { pattern, limit, offset: (page - 1) * limit })
    return { zones: rows.map(presentZoneRow), pagination: paginate(page, limit, total) }
  }),

  serve(readZone, async ({ params, db }) => ({
    ...(await show(db, params.id)),
    ...(await countZoneUse(db, params.id)),
  })),

  serve(createZone, async (context) => {
    const { body, db, now, audit, publish, emit } = context
    const shape = await shapeOf(createZone, db, body)
    const zone = await insertZone(db, shape, now)
    if (!zone) throw refuse(createZone, 'name_taken')
    enqueueRezone(context, zone.id, shape)
    audit({ action: 'zone_created', subject: 'zone', subjectId: zone.id, after: auditedFields(shape) })
    emit({ type: 'zone.changed', of: 'zone', ids: { zone: zone.id }, facts: { change: 'created' } })
    publish('businesses', { zone: zone.id })
    return show(db, zone.id)
  }),

  serve(updateZone, async (context) => {
    const { body, db, audit, publish, emit } = context
    const before = await loadForUpdate(updateZone, lockZone(db, body.id), body.version, ({ id }) => show(db, id))
    const shape = await shapeOf(updateZone, db, body)
    if (await isZoneNameTaken(db, shape.name, body.id)) throw refuse(updateZone, 'name_taken')
    await saveZone(db, body.id, shape)
    if (isMoved(before, shape)) enqueueRezone(context, body.id, before, shape)
    const change = { before: auditedFields(before), after: auditedFields(shape) }
    audit({ action: 'zone_changed', subject: 'zone', subjectId: body.id, ...change })
    emit({ type: 'zone.changed', of: 'zone', ids: { zone: body.id }, facts: { change: 'updated' } })
    publish('businesses', { zone: body.id })
    return show(db, body.id)
  }).expecting({ zones_name: 'name_taken' }),

  serve(deleteZone, async ({ body, db, audit, publish, emit }) => {
    const zone = await loadForUpdate(deleteZone, lockZone(db, body.id), body.version, ({ id }) => show(db, id))
    const { businesses, stretchers, customers, bookings } = await countZoneUse(db, body.id)
    const what = countInWords({ business: businesses, stretcher: stretchers, customer: customers, booking: bookings })
    if (businesses + stretchers + customers + bookings > 0) throw refuse(deleteZone, 'in_use', { values: { what } })
    await removeZone(db, body.id)
    audit({ action: 'zone_deleted', subject: 'zone', subjectId: body.id, before: auditedFields(zone) })
    emit({ type: 'zone.changed', of: 'zone', ids: { zone: body.id }, facts: { change: 'deleted' } })
    publish('businesses', { zone: body.id })
    return { id: body.id }
  }),
]
