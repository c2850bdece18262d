import { type Box, boxOf } from '@limber/contract/businesses/zones/area.ts'
import type { CitySummary } from '@limber/contract/growth/map/city.ts'
import type { GrowthMap } from '@limber/contract/growth/map/map.ts'
import { useEffect, useEffectEvent, useRef } from 'react'

interface Flight {
  map: GrowthMap | undefined
  /** The selected zone. */
  selected: number | undefined
  /** The selected zone or city, once its figures are loaded. */
  place: CitySummary | undefined
  flyTo: (box: Box) => void
}

/**
 * Flies to the selected place once; moving the map afterwards does not bring it back. A zone on the map does not wait for
 * its figures. Returns a function that flies to a zone every time it is called.
 */
export function useFlight({ map, selected, place, flyTo }: Flight) {
  const flown = useRef<number | string>(undefined)
  const boxOfZone = (id: number | undefined) => {
    const zone = map?.zones.find((one) => one.id === id)
    return zone && boxOf(zone.geometry)
  }
  const where = selected ?? place?.name
  const box = boxOfZone(selected) ?? place?.box ?? undefined
  const flyOnce = useEffectEvent(() => {
    if (box && flown.current !== where) flyTo(box)
    if (box || where === undefined) flown.current = where
  })
  const isKnown = box !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is another place, or the same one is known now
  useEffect(flyOnce, [where, isKnown])
  return (id: number) => {
    const around = boxOfZone(id)
    if (!around) return
    flown.current = id
    flyTo(around)
  }
}
