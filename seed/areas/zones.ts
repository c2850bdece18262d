import { makeZone } from '@limber/server/businesses/zones/zone.factory.ts'
import { TIME_ZONE } from '../calendar.ts'
import { zoneTowns } from '../places/towns.ts'
import { drawZoneShapes } from '../places/zone-shapes.ts'
import type { Seeder } from '../seeder.ts'

/** 24 zones around towns. Neighboring zones share borders. */
export const zones: Seeder = {
  name: 'Zones',
  async seed({ db, calendar }) {
    const shapes = drawZoneShapes(zoneTowns)
    for (const [index, { zone, opened }] of zoneTowns.entries()) {
      const geometry = shapes[index]
      if (!geometry) throw new Error(`No shape for ${zone}`)
      await makeZone(db, { name: zone, time_zone: TIME_ZONE, geometry, created_at: calendar.at(-opened, 10 * 60) })
    }
  },
}
