import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'

export const zoneHistory: RecordHistory = {
  subject: 'zone',
  async read(db, id) {
    const zone = await db.selectFrom('zones').select('name').where('id', '=', numericId(id)).executeTakeFirst()
    return zone && { name: zone.name, values: {} }
  },
  fields: [
    { name: 'name', label: 'Name' },
    { name: 'time_zone', label: 'Time zone' },
    { name: 'box', label: 'Area', isTooLarge: true },
  ],
  actions: { zone_created: 'added this zone', zone_changed: CHANGED },
  // The area before a change is not kept.
  restores: [],
}
