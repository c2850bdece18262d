import { IconChartDonut2, IconMap2 } from '@tabler/icons-react'
import type { Section, TodaySource } from '#platform/sections.ts'

const common = { tab: 'growth', page: 'growth', permission: 'growth.tab' } as const

export const sections: readonly Section[] = [
  {
    ...common,
    title: 'Overview',
    path: '/growth/overview',
    icon: IconChartDonut2,
    order: 1,
    load: () => import('./overview.screen.tsx'),
  },
  {
    ...common,
    title: 'Map Overview',
    path: '/growth/heatmap',
    icon: IconMap2,
    order: 2,
    load: () => import('./heatmap.screen.tsx'),
  },
]

export const todaySources: readonly TodaySource[] = [
  {
    id: 'city-tasks',
    permission: 'growth.tab',
    find: async (signal) => (await import('./today.ts')).findMyTasks(signal),
  },
]
