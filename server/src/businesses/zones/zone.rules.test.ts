import { boxOf, isInArea, pointOf, positionOf, type ZoneGeometry } from '@limber/contract/businesses/zones/area.ts'
import { describe, expect, it } from 'vitest'
import { findZone, parseBox, printBox } from './zone.rules.ts'

const area = (...corners: [number, number][]): ZoneGeometry => ({ type: 'Polygon', coordinates: [corners] })
const left = area([0, 0], [2, 0], [2, 2], [0, 2], [0, 0])
const right = area([2, 0], [4, 0], [4, 2], [2, 2], [2, 0])
const zone = (id: number, geometry: ZoneGeometry) => ({ id, geometry, ...boxOf(geometry) })

describe('findZone', () => {
  const zones = [zone(1, left), zone(2, right)]

  it.each([
    ['inside the first', 1, 1, 1],
    ['inside the second', 1, 3, 2],
    ['north of both', 3, 1, undefined],
    ['in neither, with the numbers swapped', 3, 1, undefined],
  ])('%s', (_, latitude, longitude, id) => {
    expect(findZone({ latitude, longitude }, zones)?.id).toBe(id)
  })

  it('assigns a shared border to exactly one zone', () => {
    const holders = zones.filter(({ geometry }) => isInArea({ latitude: 1, longitude: 2 }, geometry))
    expect(holders).toHaveLength(1)
  })

  it('finds the zone with the smallest id where zones overlap, in any order', () => {
    const overlapping = [zone(9, left), zone(4, left), zone(7, left)]
    expect(findZone({ latitude: 1, longitude: 1 }, overlapping)?.id).toBe(4)
    expect(findZone({ latitude: 1, longitude: 1 }, overlapping.toReversed())?.id).toBe(4)
  })

  it('excludes holes and the notch of a concave area', () => {
    const ring: ZoneGeometry = {
      type: 'Polygon',
      coordinates: [
        left.coordinates[0] ?? [],
        [
          [0.5, 0.5],
          [1.5, 0.5],
          [1.5, 1.5],
          [0.5, 1.5],
          [0.5, 0.5],
        ],
      ],
    }
    expect(isInArea({ latitude: 1, longitude: 1 }, ring)).toBe(false)
    expect(isInArea({ latitude: 0.25, longitude: 1 }, ring)).toBe(true)
    const notched = area([0, 0], [4, 0], [4, 4], [2, 1], [0, 4], [0, 0])
    expect(isInArea({ latitude: 3, longitude: 2 }, notched)).toBe(false)
    expect(isInArea({ latitude: 0.5, longitude: 2 }, notched)).toBe(true)
  })

  it('finds nothing in an area without corners', () => {
    expect(isInArea({ latitude: 0, longitude: 0 }, { type: 'Polygon', coordinates: [] })).toBe(false)
  })
})

describe('bounding boxes', () => {
  it('parse and print south,west,north,east', () => {
    const box = { south: 33.4, west: -117.8, north: 34.6, east: -116.2 }
    expect(parseBox('33.4,-117.8,34.6,-116.2')).toEqual(box)
    expect(printBox(box)).toBe('33.4,-117.8,34.6,-116.2')
  })

  it.each([
    '',
    '1,2,3',
    '1,2,3,4,5',
    'NaN,0,1,1',
    '2,0,1,1',
    '0,2,1,1',
    '-91,0,0,1',
    '0,0,0,181',
    '1e1,0,20,1',
    ' 0,0,1,1',
  ])('refuse %j', (text) => {
    expect(parseBox(text)).toBeUndefined()
  })

  it('have points in GeoJSON order', () => {
    expect(pointOf([-117.4, 33.9])).toEqual({ longitude: -117.4, latitude: 33.9 })
    expect(positionOf({ longitude: -117.4, latitude: 33.9 })).toEqual([-117.4, 33.9])
  })
})
