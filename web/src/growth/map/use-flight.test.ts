import { type Box, boxOf } from '@limber/contract/businesses/zones/area.ts'
import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { makeCity, makeMap, makeMapZone } from '../growth.testing.ts'
import { useFlight } from './use-flight.ts'

const zone = boxOf(makeMapZone().geometry)

/** Renders the hook with a selection and records where the map flew. */
function renderFlight(first: Omit<Parameters<typeof useFlight>[0], 'flyTo'>) {
  const flown: Box[] = []
  const { result, rerender } = renderHook((now) => useFlight({ ...now, flyTo: (box) => flown.push(box) }), {
    initialProps: first,
  })
  return { flown, rerender, click: (id: number) => result.current(id) }
}

const nothing = { map: makeMap(), selected: undefined, place: undefined }

it('flies to a zone by its outline before its figures load', () => {
  const { flown, rerender } = renderFlight(nothing)
  rerender({ ...nothing, selected: 1 })
  expect(flown).toEqual([zone])
  rerender({ ...nothing, selected: 1, place: makeCity() })
  rerender({ map: makeMap({ zones: [] }), selected: 1, place: undefined })
  rerender({ ...nothing, selected: 1 })
  expect(flown).toEqual([zone])
})

it('flies at each click, including a click on the selected zone', () => {
  const { flown, rerender, click } = renderFlight(nothing)
  click(1)
  rerender({ ...nothing, selected: 1 })
  expect(flown).toEqual([zone])
  click(1)
  expect(flown).toEqual([zone, zone])
})

it('waits for the figures of a city or of a zone out of view', () => {
  const far = makeMap({ zones: [] })
  const { flown, rerender } = renderFlight({ map: far, selected: 1, place: undefined })
  expect(flown).toEqual([])
  const { box } = makeCity()
  rerender({ map: far, selected: 1, place: makeCity() })
  expect(flown).toEqual([box])
  const point = { west: -117.2, south: 33.7, east: -117.2, north: 33.7 }
  rerender({ map: far, selected: undefined, place: makeCity({ name: 'Perris', zoneId: null, box: point }) })
  expect(flown).toEqual([box, point])
})

it('flies again to a place that was left', () => {
  const { flown, rerender } = renderFlight({ ...nothing, selected: 1 })
  rerender(nothing)
  rerender({ ...nothing, selected: 1 })
  expect(flown).toEqual([zone, zone])
})
