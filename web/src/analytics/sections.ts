import { IconChartLine } from '@tabler/icons-react'
import type { Section } from '#platform/sections.ts'

export const sections: readonly Section[] = [
  {
    tab: 'analytics',
    page: 'analytics',
    title: 'Analytics Dashboard',
    path: '/analytics/dashboard',
    icon: IconChartLine,
    permission: 'analytics.view',
    order: 1,
    load: () => import('./dashboard.screen.tsx'),
  },
]
