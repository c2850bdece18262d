import { type MapZone, readBasemap, readMap } from '@limber/contract/growth/map/map.ts'
import { daysOf } from '@limber/contract/growth/values.ts'
import { parseBox } from '#businesses/public.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { ensureFigures } from '../figures/current.ts'
import { spanOf } from '../figures/span.rules.ts'
import { presentBefore, presentMetrics } from './place.present.ts'
import { countOutside, findMapZones, findOutliers } from './place.queries.ts'

export const mapRoutes = [
  serve(
    readMap,
    async ({ query: { range, bbox }, db, services }) => {
      const box = bbox === undefined ? undefined : parseBox(bbox)
      if (bbox !== undefined && !box) throw refuse(readMap, 'bad_box')
      const asOf = await ensureFigures(services)
      const [zones, outliers, outsideUsers] = await Promise.all([
        findMapZones(db, daysOf(range), box),
        findOutliers(db, box),
        countOutside(db),
      ])
      return {
        zones: zones.map((row) => ({
          id: row.id,
          name: row.name,
          // The rows belong to this request only, so the readonly type can be dropped.
          geometry: row.geometry as MapZone['geometry'],
          metrics: presentMetrics(row),
          previous: presentBefore(row),
        })),
        outliers: outliers.map(({ city, latitude, longitude, users }) => ({
          city,
          lat: latitude,
          lng: longitude,
          users,
        })),
        outsideUsers,
        span: spanOf(range, asOf),
      }
    },
    { mayLag: true },
  ),

  serve(readBasemap, ({ services: { config } }) => ({
    styleUrl: config.mapStyleUrl ?? null,
    tilesUrl: config.mapTilesUrl ?? null,
    attribution: config.mapAttribution ?? null,
  })),
]
