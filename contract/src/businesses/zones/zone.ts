import { z } from 'zod'
import { type BodyOf, defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Id, IdText, Line, Version } from '#kit/values.ts'

const Place = z.tuple([z.number(), z.number()])

/** An area as GeoJSON: longitude first, the outer ring, then its holes. */
export const ZonePolygon = z.strictObject({
  type: z.literal('Polygon'),
  coordinates: z.array(z.array(Place).max(2000)).min(1).max(50),
})
export type ZonePolygon = z.infer<typeof ZonePolygon>

/** Corners of one area; more would make every look-up slow. */
export const MAX_CORNERS = 500

export const Zone = z.object({ id: Id, name: z.string(), time_zone: z.string(), version: Version })
export type Zone = z.infer<typeof Zone>

export const ZoneRow = Zone.extend({ businesses: z.int(), stretchers: z.int() })
export type ZoneRow = z.infer<typeof ZoneRow>

/** A zone with its area, as a write answers it: counting what hangs on it is left to who reads it. */
const ZoneArea = Zone.extend({
  geometry: ZonePolygon,
  square_km: z.number(),
  /** Zones nearby, for the picture; those that share ground with it say so. */
  neighbours: z.array(z.object({ id: Id, name: z.string(), geometry: ZonePolygon, overlaps: z.boolean() })),
})
export type ZoneArea = z.infer<typeof ZoneArea>

/** With what hangs on it, each counted up to a bound. */
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
  bad_time_zone: [422, 'This is not the name of a time zone, as in America/Los_Angeles.'],
  bad_polygon: [422, '{what}'],
} as const

export const listZones = defineCall({
  method: 'GET',
  path: '/api/zones/list',
  summary: 'Zones by name',
  permission: 'businesses.manage',
  query: z.strictObject({
    ...pageQuery({ limit: 500, most: 1000 }),
    search: z.string().max(200).default(''),
  }),
  reply: z.object({ zones: z.array(ZoneRow), pagination: Pagination }),
})
export type ZoneList = ReplyOf<typeof listZones>

export const readZone = defineCall({
  method: 'GET',
  path: '/api/zones/:id',
  summary: 'One zone with its area, its neighbours and what hangs on it',
  permission: 'businesses.manage',
  params: z.strictObject({ id: IdText }),
  reply: ZoneDetail,
  refusals: { not_found: notFound },
})

export const createZone = defineCall({
  method: 'POST',
  path: '/api/zones/create',
  summary: 'Add a zone; customers in its area become its own',
  permission: 'businesses.manage',
  body: z.strictObject(fields),
  reply: ZoneArea,
  refusals: shapeRefusals,
})
export type CreateZone = BodyOf<typeof createZone>

export const updateZone = defineCall({
  method: 'POST',
  path: '/api/zones/update',
  summary: 'Change a zone; customers nearby are looked at again',
  permission: 'businesses.manage',
  body: z.strictObject({ id: Id, ...fields, version: Version.optional() }),
  reply: ZoneArea,
  refusals: { ...shapeRefusals, not_found: notFound, stale },
})

export const deleteZone = defineCall({
  method: 'POST',
  path: '/api/zones/delete',
  summary: 'Delete a zone that nothing hangs on',
  permission: 'businesses.manage',
  body: z.strictObject({ id: Id, version: Version.optional() }),
  reply: z.object({ id: Id }),
  refusals: {
    not_found: notFound,
    stale,
    in_use: [409, 'On this zone hang {what}. Move them first.'],
  },
})
