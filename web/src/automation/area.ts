import { IconClockCog } from '@tabler/icons-react'
import type { Area, Section, TodaySource } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/worker/tech/automation': typeof import('./automation.screen.tsx').Search
  }
}

const sections: readonly Section[] = [
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

const todaySources: readonly TodaySource[] = [
  {
    id: 'automation.failed',
    what: 'failed schedules',
    permission: 'automation.manage',
    group: 'needs',
    topic: 'automation',
    // Loaded with the Today panel, not with the shell.
    find: async (signal) => (await import('./today.ts')).findFailedSchedules(signal),
  },
]

export const automationArea: Area = { sections, todaySources }
