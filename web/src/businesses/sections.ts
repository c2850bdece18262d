import { IconBuildingStore, IconMapPin } from '@tabler/icons-react'
import type { PaletteSource, Section, TodaySource } from '#platform/sections.ts'

const partners = {
  tab: 'worker',
  page: 'managing',
  group: 'Practitioners & Partners',
  permission: 'businesses.manage',
} as const

export const sections: readonly Section[] = [
  {
    ...partners,
    title: 'Business administration',
    path: '/worker/managing/businesses',
    icon: IconBuildingStore,
    order: 50,
    load: () => import('./businesses.screen.tsx'),
  },
  {
    ...partners,
    title: 'Zones',
    path: '/worker/managing/zones',
    icon: IconMapPin,
    order: 53,
    load: () => import('./zones.screen.tsx'),
  },
]

export const paletteSources: readonly PaletteSource[] = [
  {
    id: 'businesses',
    title: 'Businesses',
    permission: 'businesses.manage',
    find: async (text, signal) => (await import('./finders.ts')).findBusinesses(text, signal),
  },
]

export const todaySources: readonly TodaySource[] = [
  {
    id: 'onsite',
    what: 'on-site sessions',
    permission: 'businesses.manage',
    group: 'sessions',
    find: async (signal) => (await import('./today.ts')).findSoon(signal),
  },
]
