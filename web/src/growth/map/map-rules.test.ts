import { boxOf } from '@limber/contract/businesses/zones/area.ts'
import { describe, expect, it } from 'vitest'
import { makeMapZone } from '../growth.testing.ts'
import { bandOf, bandStarts, boxOfView, labelZoom, outlierRadius, paddedBox, totalsOf } from './map-rules.ts'
import { citiesOutside } from './map-style.ts'

describe('map bands', () => {
  it.each([
    [0, 0, 1],
    [0, 100, 1],
    [32, 100, 1],
    [33, 100, 2],
    [65, 100, 2],
    [66, 100, 3],
    [100, 100, 3],
  ] as const)('put %d of %d into band %d', (value, largest, band) => {
    expect(bandOf(value, largest)).toBe(band)
  })
  it('start where the legend says', () => {
    for (const largest of [1, 2, 3, 7, 100, 1284]) {
      const [second, third] = bandStarts(largest)
      expect(bandOf(second, largest)).toBeGreaterThanOrEqual(2)
      expect(bandOf(second - 1, largest)).toBe(1)
      expect(bandOf(third, largest)).toBe(3)
      expect(bandOf(third - 1, largest)).toBeLessThan(3)
    }
  })
})

it('draws outliers from 4 to 12 pixels', () => {
  expect([0, 1, 2, 4, 16, 1000].map(outlierRadius)).toEqual([4, 4, 6, 8, 12, 12])
})

it('pads the bounding box by 15 percent on each side and stays within the world', () => {
  expect(paddedBox({ south: 33, west: -118, north: 34, east: -116 })).toBe('32.85,-118.3,34.15,-115.7')
  expect(paddedBox({ south: -89, west: -200, north: 89, east: 200 })).toBe('-90,-180,90,180')
})

it('knows which part a map of a size will show', () => {
  const world = 512 * 2 ** 9
  // The same as the map reports once it is drawn.
  expect(boxOfView('', 807, 631)).toBe('33.48201,-118.12036,34.41647,-116.67964')
  const [south, west, north, east] = boxOfView('0,10,9', world / 36, world / 18)
    .split(',')
    .map(Number)
  expect([west, east]).toEqual([10 - 5 * 1.3, 10 + 5 * 1.3])
  expect(south).toBeCloseTo(-(north ?? 0))
})

it('labels a zone once it is about half as wide as its label', () => {
  const { geometry } = makeMapZone()
  const wide = (degrees: number) => ({ ...boxOf(geometry), west: 0, east: degrees })
  // 360 degrees are 512 pixels at zoom 0, and ten letters are 66 pixels.
  expect(labelZoom(10, wide((360 / 512) * 33))).toBeCloseTo(0)
  expect(labelZoom(10, wide(((360 / 512) * 33) / 2 ** 9))).toBeCloseTo(9)
  expect(Number.isFinite(labelZoom(10, wide(0)))).toBe(true)
})

it('names the cities outside every zone', () => {
  const names = (...zones: Parameters<typeof citiesOutside>[0]) =>
    citiesOutside(zones).features.map(({ properties }) => properties?.name)
  const square = (lng: number, lat: number) => ({
    type: 'Polygon' as const,
    coordinates: [
      [
        [lng - 0.01, lat - 0.01],
        [lng + 0.01, lat - 0.01],
        [lng + 0.01, lat + 0.01],
        [lng - 0.01, lat + 0.01],
        [lng - 0.01, lat - 0.01],
      ] as [number, number][],
    ],
  })
  expect(names()).toContain('Los Angeles')
  expect(names(square(-118.244, 34.052))).not.toContain('Los Angeles')
  expect(names(square(-118.244, 34.052))).toHaveLength(names().length - 1)
})

it('adds up zones, and has no ratio when the divisor is zero', () => {
  expect(totalsOf([])).toMatchObject({
    users: 0,
    activePct: null,
    perSession: null,
    perStretcher: null,
    avgRating: null,
  })
  const one = makeMapZone({
    users: 100,
    activeUsers: 50,
    sessions: 10,
    revenue: 0.1,
    ratings: 1,
    avgRating: 5,
    stretchers: 2,
  })
  const two = makeMapZone({
    users: 100,
    activeUsers: 25,
    sessions: 20,
    revenue: 0.2,
    ratings: 3,
    avgRating: 3,
    stretchers: 1,
  })
  expect(totalsOf([one, two])).toMatchObject({
    users: 200,
    activePct: 37.5,
    revenue: 0.3,
    perStretcher: 10,
    avgRating: 3.5,
    perSession: 0.3 / 232,
  })
})
