import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Id } from '#kit/values.ts'
import { DEFAULT_RANGE, GrowthRange, PlaceBefore, PlaceMetrics, Span } from '../values.ts'
import { BAD_BOX, Box } from './box.ts'

/** GeoJSON: longitude first, the outer ring, then its holes. */
const Polygon = z.object({
  type: z.literal('Polygon'),
  coordinates: z.array(z.array(z.tuple([z.number(), z.number()]))),
})

export const MapZone = z.object({
  id: Id,
  name: z.string(),
  geometry: Polygon,
  metrics: PlaceMetrics,
  previous: PlaceBefore,
})
export type MapZone = z.infer<typeof MapZone>

/** A city with users outside every zone. Its point is never inside a zone. */
export const Outlier = z.object({ city: z.string(), lat: z.number(), lng: z.number(), users: z.int() })
export type Outlier = z.infer<typeof Outlier>

/** The zones that intersect the bounding box, largest first; all zones without one. */
export const readMap = defineCall({
  method: 'GET',
  path: '/api/marketing/zones',
  summary: 'Zones with their figures, and cities outside every zone, within a bounding box',
  permission: 'growth.tab',
  query: z.strictObject({ range: GrowthRange.default(DEFAULT_RANGE), bbox: Box.optional() }),
  reply: z.object({
    zones: z.array(MapZone),
    outliers: z.array(Outlier),
    /** All users outside every zone, independent of the bounding box. */
    outsideUsers: z.int(),
    span: Span,
  }),
  refusals: { bad_box: BAD_BOX },
})
export type GrowthMap = ReplyOf<typeof readMap>

/** The background map. Without settings it uses the bundled outlines and city names. */
export const readBasemap = defineCall({
  method: 'GET',
  path: '/api/marketing/basemap',
  summary: 'The configured map tiles or style',
  permission: 'growth.tab',
  reply: z.object({
    styleUrl: z.string().nullable(),
    tilesUrl: z.string().nullable(),
    attribution: z.string().nullable(),
  }),
})
export type Basemap = ReplyOf<typeof readBasemap>
