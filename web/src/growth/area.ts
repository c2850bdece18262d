import { IconBuildingCommunity, IconChartDonut2, IconMap2, IconShare3, IconUsersGroup } from '@tabler/icons-react'
import type { Area, PaletteSource, Section, TodaySource } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/growth/overview': typeof import('./overview/overview.screen.tsx').Search
    '/growth/heatmap': typeof import('./map/heatmap.screen.tsx').Search
    '/growth/referrals': typeof import('./referrals/referral-search.ts').ReferralSearch
    '/growth/team': typeof import('./team/team.screen.tsx').Search
    '/growth/business': typeof import('./partners/partner-search.ts').PartnerSearch
  }
}

const common = { tab: 'growth', page: 'growth', permission: 'growth.tab' } as const

const sections: readonly Section[] = [
  {
    ...common,
    title: 'Overview',
    path: '/growth/overview',
    icon: IconChartDonut2,
    order: 1,
    load: () => import('./overview/overview.screen.tsx'),
  },
  {
    ...common,
    title: 'Map Overview',
    path: '/growth/heatmap',
    icon: IconMap2,
    order: 2,
    load: () => import('./map/heatmap.screen.tsx'),
  },
  {
    ...common,
    title: 'Referrals',
    path: '/growth/referrals',
    icon: IconShare3,
    order: 40,
    load: () => import('./referrals/referrals.screen.tsx'),
  },
  {
    ...common,
    title: 'Team',
    path: '/growth/team',
    icon: IconUsersGroup,
    order: 60,
    load: () => import('./team/team.screen.tsx'),
  },
  {
    ...common,
    title: 'Partners',
    path: '/growth/business',
    icon: IconBuildingCommunity,
    order: 70,
    load: () => import('./partners/partners.screen.tsx'),
  },
]

const paletteSources: readonly PaletteSource[] = [
  {
    id: 'partners',
    title: 'Partners',
    permission: 'growth.tab',
    find: async (text, signal) => (await import('./partners/finders.ts')).findPartners(text, signal),
  },
]

const todaySources: readonly TodaySource[] = [
  {
    id: 'city-tasks',
    what: 'your city tasks',
    permission: 'growth.tab',
    group: 'needs',
    topic: 'growth',
    find: async (signal) => (await import('./today.ts')).findMyTasks(signal),
  },
  {
    id: 'renewals',
    what: 'renewals',
    permission: 'growth.tab',
    group: 'needs',
    find: async (signal) => (await import('./today.ts')).findRenewals(signal),
  },
]

export const growthArea: Area = { sections, paletteSources, todaySources }
