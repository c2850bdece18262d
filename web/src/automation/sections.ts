import { IconClockCog } from '@tabler/icons-react'
import type { Section } from '#platform/sections.ts'

export const sections: readonly Section[] = [
  {
    tab: 'worker',
    page: 'tech',
    title: 'System Automation',
    path: '/worker/tech/automation',
    icon: IconClockCog,
    permission: 'automation.manage',
    order: 20,
    load: () => import('./automation.screen.tsx'),
  },
]
