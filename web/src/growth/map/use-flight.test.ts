import { type Box, boxOf } from '@limber/contract/businesses/zones/area.ts'
import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { makeCity, makeMap, makeMapZone } from '../growth.testing.ts'
import { useFlight } from './use-flight.ts'

const zone = boxOf(makeMapZone().geometry)

/** What is chosen on the map, and where it has flown. */
function look(first: Omit<Parameters<typeof useFlight>[0], 'flyTo'>) {
  const flown: Box[] = []
  const { result, rerender } = renderHook((now) => useFlight({ ...now, flyTo: (box) => flown.push(box) }), {
    initialProps: first,
  })
  return { flown, rerender, click: (id: number) => result.current(id) }
}

const nothing = { map: makeMap(), selected: undefined, place: undefined }

it('flies to a zone by its outline, whether or not its figures come', () => {
  const { flown, rerender } = look(nothing)
  rerender({ ...nothing, selected: 1 })
  expect(flown).toEqual([zone])
  rerender({ ...nothing, selected: 1, place: makeCity() })
  rerender({ map: makeMap({ zones: [] }), selected: 1, place: undefined })
  rerender({ ...nothing, selected: 1 })
  expect(flown).toEqual([zone])
})

it('flies at each click, also to the zone that is chosen already', () => {
  const { flown, rerender, click } = look(nothing)
  click(1)
  rerender({ ...nothing, selected: 1 })
  expect(flown).toEqual([zone])
  click(1)
  expect(flown).toEqual([zone, zone])
})

it('waits for the figures of a zone out of sight, and of a city', () => {
  const far = makeMap({ zones: [] })
  const { flown, rerender } = look({ map: far, selected: 1, place: undefined })
  expect(flown).toEqual([])
  const { box } = makeCity()
  rerender({ map: far, selected: 1, place: makeCity() })
  expect(flown).toEqual([box])
  const point = { west: -117.2, south: 33.7, east: -117.2, north: 33.7 }
  rerender({ map: far, selected: undefined, place: makeCity({ name: 'Perris', zoneId: null, box: point }) })
  expect(flown).toEqual([box, point])
})

it('flies again to a place that was left', () => {
  const { flown, rerender } = look({ ...nothing, selected: 1 })
  rerender(nothing)
  rerender({ ...nothing, selected: 1 })
  expect(flown).toEqual([zone, zone])
})
