import { type ComponentType, lazy, Suspense, useState } from 'react'
import { useLive } from '#platform/live/live.ts'
import type { BarItem } from '#platform/routing/sections.ts'
import { useRegistry } from '../section-registry.ts'

function Item({ topic, load }: BarItem) {
  const [Part, setPart] = useState<ComponentType>()
  useLive(topic, () => setPart((before?: ComponentType) => before ?? lazy(load)))
  return Part && <Part />
}

/** What areas show in the top bar. It costs no request until something happens. */
export const BarItems = () => (
  <Suspense>
    {useRegistry().barItems.map((item) => (
      <Item key={item.topic} {...item} />
    ))}
  </Suspense>
)
