import { IconDatabaseExport } from '@tabler/icons-react'
import type { Area, Section, TodaySource } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/worker/tech/backups': typeof import('./backups.screen.tsx').Search
  }
}

const path = '/worker/tech/backups'

const sections: readonly Section[] = [
  {
    tab: 'worker',
    page: 'tech',
    title: 'Backups',
    path,
    icon: IconDatabaseExport,
    permission: 'backups.initiate',
    order: 70,
    load: () => import('./backups.screen.tsx'),
  },
]

const todaySources: readonly TodaySource[] = [
  {
    id: 'backups',
    what: 'backups',
    permission: 'backups.initiate',
    group: 'needs',
    topic: 'backups',
    find: async (signal) => (await import('./today.ts')).findAlarm(signal),
  },
]

export const backupsArea: Area = { sections, todaySources }
