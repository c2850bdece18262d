import { makeZone } from '@limber/server/businesses/zones/zone.factory.ts'
import { TIME_ZONE } from '../calendar.ts'
import type { Chapter } from '../chapter.ts'
import { drawCells } from '../places/cells.ts'
import { zoneTowns } from '../places/towns.ts'

/** Where the company works: 24 zones around towns, side by side where towns are. */
export const zones: Chapter = {
  name: 'Zones',
  async tell({ db, calendar }) {
    const shapes = drawCells(zoneTowns)
    for (const [index, { zone, opened }] of zoneTowns.entries()) {
      const geometry = shapes[index]
      if (!geometry) throw new Error(`No area was drawn for ${zone}`)
      await makeZone(db, { name: zone, time_zone: TIME_ZONE, geometry, created_at: calendar.at(-opened, 10 * 60) })
    }
  },
}
