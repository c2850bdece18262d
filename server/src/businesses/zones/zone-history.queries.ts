import { deleteZone, updateZone } from '@limber/contract/businesses/zones/zone.ts'
import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'
import { findZoneRecord } from './zone.queries.ts'

const fields = ['name', 'time_zone', 'geometry'] as const

export const zoneHistory: RecordHistory = {
  subject: 'zone',
  async read(db, id) {
    const zone = await findZoneRecord(db, numericId(id))
    return zone && { name: zone.name, values: { ...zone } }
  },
  fields: [
    { name: 'name', label: 'Name' },
    { name: 'time_zone', label: 'Time zone' },
    { name: 'geometry', label: 'Area', isTooLarge: true },
  ],
  actions: { zone_created: 'added this zone', zone_changed: CHANGED },
  restores: [
    {
      ...{ call: updateZone, fields },
      input: (id, values, { name, time_zone, geometry }) => ({
        body: { id: Number(id), name, time_zone, geometry, ...values },
      }),
      effects: { geometry: 'Customers nearby are assigned again. No one is emailed.' },
    },
  ],
  opposites: {
    zone_created: {
      call: deleteZone,
      input: (id) => ({ body: { id: Number(id) } }),
      fits: ({ version }) => version === 1,
      effect: 'The zone is deleted, if nothing is in it.',
    },
  },
}
