import type { Box } from '@limber/contract/businesses/zones/area.ts'
import { createZone, deleteZone, listZones, readZone, updateZone } from '@limber/contract/businesses/zones/zone.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import type { Db } from '#platform/db/db.ts'
import { containing } from '#platform/db/like.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { countInWords } from '../business/business.rules.ts'
import { addZone, auditedFields, shapeOf } from './add-zone.ts'
import { rezoneMessage } from './rezone.ts'
import { presentZone, presentZoneRow } from './zone.present.ts'
import {
  countZoneUse,
  findZoneRecord,
  findZones,
  findZonesNear,
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

const isMoved = (before: ZoneRecord, after: { geometry: unknown }) =>
  JSON.stringify(before.geometry) !== JSON.stringify(after.geometry)

/** The names of the fields that differ, as programs know them. */
const changedFields = (before: ZoneRecord, after: Omit<ZoneRecord, 'id' | 'version'>) => [
  ...(['name', 'time_zone'] as const).filter((name) => before[name] !== after[name]),
  ...(isMoved(before, after) ? ['polygon'] : []),
]

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
    const id = await addZone(context, context.body)
    return show(context.db, id)
  }),

  serve(updateZone, async (context) => {
    const { body, db, now, audit, enqueue, publish, emit } = context
    const before = await loadForUpdate(updateZone, lockZone(db, body.id), body.version, ({ id }) => show(db, id))
    const shape = await shapeOf(updateZone, db, body)
    if (await isZoneNameTaken(db, shape.name, body.id)) throw refuse(updateZone, 'name_taken')
    await saveZone(db, body.id, shape)
    // After the commit, customers near the old and the new area are reassigned.
    if (isMoved(before, shape)) enqueue(rezoneMessage(body.id, now, [before, shape]))
    audit({
      action: 'zone_changed',
      subject: 'zone',
      subjectId: body.id,
      before: auditedFields(before),
      after: auditedFields(shape),
      long: { before: { geometry: before.geometry }, after: { geometry: shape.geometry } },
    })
    const changed = changedFields(before, shape)
    if (changed.length > 0)
      emit({ type: 'zone.changed', of: 'zone', ids: { zone: body.id }, facts: { change: 'updated' }, changed })
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
