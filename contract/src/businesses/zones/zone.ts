import { z } from 'zod'
import { type BodyOf, defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Id, IdText, Line, Version } from '#kit/values.ts'

const Place = z.tuple([z.number(), z.number()])

/** An area as GeoJSON: longitude first, the outer ring, then its holes. */
export const ZonePolygon = z.strictObject({
  type: z.literal('Polygon'),
  coordinates: z.array(z.array(Place).max(2000)).min(1).max(50),
})
export type ZonePolygon = z.infer<typeof ZonePolygon>

/** Maximum corners of an area. More would slow down every lookup. */
export const MAX_CORNERS = 500

export const Zone = z.object({ id: Id, name: z.string(), time_zone: z.string(), version: Version })
export type Zone = z.infer<typeof Zone>

export const ZoneRow = Zone.extend({ businesses: z.int(), stretchers: z.int() })
export type ZoneRow = z.infer<typeof ZoneRow>

/** A zone with its area, as returned by a write. Only a read counts its records. */
const ZoneArea = Zone.extend({
  geometry: ZonePolygon,
  square_km: z.number(),
  /** Nearby zones, for the map. Overlapping ones are marked. */
  neighbours: z.array(z.object({ id: Id, name: z.string(), geometry: ZonePolygon, overlaps: z.boolean() })),
})
export type ZoneArea = z.infer<typeof ZoneArea>

/** The records in the zone, each counted up to a limit. */
export const ZoneDetail = ZoneArea.extend({
  businesses: z.int(),
  stretchers: z.int(),
  customers: z.int(),
  bookings: z.int(),
})
export type ZoneDetail = z.infer<typeof ZoneDetail>

const notFound = [404, 'This zone does not exist.'] as const
const stale = staleRefusal('this zone', ZoneArea)
const fields = { name: Line(120), time_zone: z.string().max(64), geometry: ZonePolygon }
const shapeRefusals = {
  name_taken: [409, 'Another zone has this name.'],
  bad_time_zone: [422, 'This is not a time zone name. Use a name such as America/Los_Angeles.'],
  bad_polygon: [422, '{what}'],
} as const

export const listZones = defineCall({
  method: 'GET',
  path: '/api/zones/list',
  summary: 'Zones by name',
  permission: 'businesses.manage',
  query: z.strictObject({
    ...pageQuery({ limit: 500, max: 1000 }),
    search: z.string().max(200).default(''),
  }),
  reply: z.object({ zones: z.array(ZoneRow), pagination: Pagination }),
})
export type ZoneList = ReplyOf<typeof listZones>

export const exportZones = exportCall(listZones, 'zones')

export const readZone = defineCall({
  method: 'GET',
  path: '/api/zones/:id',
  summary: 'One zone with its area, neighbors and records',
  permission: 'businesses.manage',
  params: z.strictObject({ id: IdText }),
  reply: ZoneDetail,
  refusals: { not_found: notFound },
})

export const createZone = defineCall({
  method: 'POST',
  path: '/api/zones/create',
  summary: 'Add a zone; customers in its area are assigned to it',
  permission: 'businesses.manage',
  body: z.strictObject(fields),
  reply: ZoneArea,
  refusals: shapeRefusals,
})
export type CreateZone = BodyOf<typeof createZone>

export const updateZone = defineCall({
  method: 'POST',
  path: '/api/zones/update',
  summary: 'Change a zone; the zones of customers nearby are updated',
  permission: 'businesses.manage',
  body: z.strictObject({ id: Id, ...fields, version: Version.optional() }),
  reply: ZoneArea,
  refusals: { ...shapeRefusals, not_found: notFound, stale },
})

export const deleteZone = defineCall({
  method: 'POST',
  path: '/api/zones/delete',
  summary: 'Delete an unused zone',
  permission: 'businesses.manage',
  body: z.strictObject({ id: Id, version: Version.optional() }),
  reply: z.object({ id: Id }),
  refusals: {
    not_found: notFound,
    stale,
    in_use: [409, 'This zone has {what}. Move them first.'],
  },
})
