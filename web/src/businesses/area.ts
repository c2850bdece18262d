import { IconBuildingStore, IconCalendarWeek, IconMapPin } from '@tabler/icons-react'
import type { Area, PaletteSource, Section, TodaySource } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/worker/managing/businesses': typeof import('./business/business-search.ts').BusinessSearch
    '/worker/managing/businesses/sessions': typeof import('./calendar/calendar-search.ts').CalendarSearch
    '/worker/managing/zones': typeof import('./zones/zones.screen.tsx').ZoneSearch
  }
}

const partners = {
  tab: 'worker',
  page: 'managing',
  group: 'Practitioners & Partners',
  permission: 'businesses.manage',
} as const

const sections: readonly Section[] = [
  {
    ...partners,
    title: 'Business administration',
    path: '/worker/managing/businesses',
    icon: IconBuildingStore,
    order: 50,
    load: () => import('./business/businesses.screen.tsx'),
  },
  {
    ...partners,
    title: 'On-site sessions',
    path: '/worker/managing/businesses/sessions',
    icon: IconCalendarWeek,
    order: 51,
    isUnlisted: true,
    load: () => import('./calendar/calendar.screen.tsx'),
  },
  {
    ...partners,
    title: 'Zones',
    path: '/worker/managing/zones',
    icon: IconMapPin,
    order: 53,
    load: () => import('./zones/zones.screen.tsx'),
  },
]

const paletteSources: readonly PaletteSource[] = [
  {
    id: 'businesses',
    title: 'Businesses',
    permission: 'businesses.manage',
    find: async (text, signal) => (await import('./finders.ts')).findBusinesses(text, signal),
  },
  {
    id: 'onsite',
    title: 'On-site',
    permission: 'businesses.manage',
    find: async (text) => (await import('./finders.ts')).findViews(text),
  },
]

const todaySources: readonly TodaySource[] = [
  {
    id: 'onsite',
    what: 'on-site sessions',
    permission: 'businesses.manage',
    group: 'sessions',
    topic: 'businesses',
    find: async (signal) => (await import('./today.ts')).findSoon(signal),
  },
  {
    id: 'onsite.uncovered',
    what: 'on-site sessions without a certified stretcher',
    permission: 'businesses.manage',
    group: 'needs',
    find: async (signal) => (await import('./today.ts')).findUncovered(signal),
  },
]

export const businessesArea: Area = { sections, paletteSources, todaySources }
