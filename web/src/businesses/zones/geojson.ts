import { ZonePolygon } from '@limber/contract/businesses/zones/zone.ts'

export type Reading = { polygon: ZonePolygon; problem?: undefined } | { polygon?: undefined; problem: string }

/** Drops elevations, which areas do not use. */
const flat = (value: unknown): unknown =>
  Array.isArray(value) && typeof value[0] === 'number'
    ? value.slice(0, 2)
    : Array.isArray(value)
      ? value.map(flat)
      : value

function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined
  if (value.type === 'Feature' && 'geometry' in value) return shapeOf(value.geometry)
  if (value.type === 'FeatureCollection' && 'features' in value && Array.isArray(value.features))
    return value.features.length === 1 ? shapeOf(value.features[0]) : undefined
  if (value.type === 'MultiPolygon' && 'coordinates' in value && Array.isArray(value.coordinates))
    return value.coordinates.length === 1 ? { type: 'Polygon', coordinates: value.coordinates[0] } : undefined
  return value.type === 'Polygon' && 'coordinates' in value
    ? { type: 'Polygon', coordinates: value.coordinates }
    : undefined
}

/** Parses pasted GeoJSON: a polygon, or a feature or collection with exactly one. */
export function readGeoJson(text: string): Reading {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'This is not JSON.' }
  }
  const shape = shapeOf(value)
  if (!shape || typeof shape !== 'object' || !('coordinates' in shape))
    return { problem: 'Paste one GeoJSON polygon, or one feature with a polygon.' }
  const read = ZonePolygon.safeParse({ type: 'Polygon', coordinates: flat(shape.coordinates) })
  return read.success
    ? { polygon: read.data }
    : { problem: 'Corners must be pairs of numbers: longitude first, then latitude.' }
}

/** One ring per line, for readability. */
export const printGeoJson = ({ coordinates }: ZonePolygon) =>
  `{"type":"Polygon","coordinates":[\n${coordinates.map((ring) => JSON.stringify(ring)).join(',\n')}\n]}`
