import { IconChartLine } from '@tabler/icons-react'
import type { Area, Section } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/analytics/dashboard': typeof import('./dashboard/dashboard.screen.tsx').Search
    '/worker/tech/analytics': typeof import('./dashboard/dashboard.screen.tsx').Search
  }
}

const dashboard = {
  icon: IconChartLine,
  permission: 'analytics.view',
  load: () => import('./dashboard/dashboard.screen.tsx'),
} as const

const sections: readonly Section[] = [
  {
    ...dashboard,
    tab: 'analytics',
    page: 'analytics',
    title: 'Analytics Dashboard',
    path: '/analytics/dashboard',
    order: 1,
  },
  // The panel of the Tech admin dashboard shows the same screen.
  { ...dashboard, tab: 'worker', page: 'tech', title: 'Analytics', path: '/worker/tech/analytics', order: 10 },
]

export const analyticsArea: Area = { sections }
