import { z } from 'zod'
import { attachCall, readCalls } from '#kit/resource.ts'
import { ZonePolygon } from '../zones/zone.ts'

const zones = { name: 'zones', scope: 'zones' } as const

export const zoneCalls = {
  attach: attachCall(zones),
  ...readCalls({ ...zones, record: { name: z.string(), time_zone: z.string(), polygon: ZonePolygon } }),
}
