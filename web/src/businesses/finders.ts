import { listBusinesses } from '@limber/contract/businesses/business/business.ts'
import { IconBuildingStore, IconCalendarWeek } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem } from '#platform/routing/sections.ts'

/** The first businesses whose name, path or email contains the query. */
export async function findBusinesses(text: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const { businesses } = await send(listBusinesses, { query: { search: text, limit: '5' } }, { signal })
  return businesses.map(({ id, name, zone_name }) => ({
    id: `business-${id}`,
    title: name,
    detail: zone_name,
    icon: IconBuildingStore,
    run: (go) => go(hrefTo('/worker/managing/businesses', { business: id })),
  }))
}

const names = ['on-site', 'onsite', 'sessions', 'calendar', 'week']

/** A view outside the section lists, found by the start of its words. */
export async function findViews(text: string): Promise<PaletteItem[]> {
  const words = text.toLowerCase().split(/\s+/)
  if (!words.every((word) => names.some((name) => name.startsWith(word)))) return []
  return [
    {
      id: 'onsite-calendar',
      title: 'On-site sessions',
      detail: 'By week',
      icon: IconCalendarWeek,
      run: (go) => go(hrefTo('/worker/managing/businesses/sessions')),
    },
  ]
}
