import { z } from 'zod'
import { attachCall, readCalls } from '#kit/resource.ts'
import { ZonePolygon } from '../zones/zone.ts'

const zones = { name: 'zones', scope: 'zones' } as const

export const zoneCalls = {
  attach: attachCall(zones),
  ...readCalls({
    ...zones,
    record: { name: z.string(), time_zone: z.string(), polygon: ZonePolygon },
    shown: {
      name: 'Riverside',
      time_zone: 'America/Los_Angeles',
      polygon: {
        type: 'Polygon',
        coordinates: [
          [
            [-117.5, 33.9],
            [-117.3, 33.9],
            [-117.3, 34.1],
            [-117.5, 33.9],
          ],
        ],
      },
    },
  }),
}
