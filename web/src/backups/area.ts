import { IconDatabaseExport } from '@tabler/icons-react'
import { hrefTo } from '#platform/routing/links.ts'
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
    group: 'warnings',
    find: async (signal) => {
      const { readAlarm } = await import('./backup.api.ts')
      const { isAlarm, text } = await readAlarm(signal)
      return isAlarm
        ? [
            {
              id: 'backups',
              title: 'Backups need attention',
              detail: text,
              path: hrefTo(path),
              icon: IconDatabaseExport,
              covers: 'health-backups',
            },
          ]
        : []
    },
  },
]

export const backupsArea: Area = { sections, todaySources }
