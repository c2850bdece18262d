import type { ZoneGeometry } from '@limber/contract/businesses/zones/area.ts'
import type { ZoneArea, ZonePolygon, ZoneRow } from '@limber/contract/businesses/zones/zone.ts'
import { isOverlapping, squareKilometers } from './polygon.rules.ts'
import type { ZoneListRow, ZoneRecord } from './zone.queries.ts'

export const presentZoneRow = ({ id, name, time_zone, version, businesses, stretchers }: ZoneListRow): ZoneRow => ({
  id,
  name,
  time_zone,
  version,
  businesses,
  stretchers,
})

const presentPolygon = ({ type, coordinates }: ZoneGeometry): ZonePolygon => ({
  type,
  coordinates: coordinates.map((ring) => ring.map(([longitude, latitude]) => [longitude, latitude])),
})

export const presentZone = (zone: ZoneRecord, near: readonly ZoneRecord[]): ZoneArea => ({
  id: zone.id,
  name: zone.name,
  time_zone: zone.time_zone,
  version: zone.version,
  geometry: presentPolygon(zone.geometry),
  square_km: Math.round(squareKilometers(zone.geometry) * 10) / 10,
  neighbours: near
    .filter(({ id }) => id !== zone.id)
    .map(({ id, name, geometry }) => ({
      id,
      name,
      geometry: presentPolygon(geometry),
      overlaps: isOverlapping(zone.geometry, geometry),
    })),
})
