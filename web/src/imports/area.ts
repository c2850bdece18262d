import { importPermissions } from '@limber/contract/imports/import-permissions.ts'
import type { LiveTopic } from '@limber/contract/kit/live.ts'
import { IconDatabaseImport } from '@tabler/icons-react'
import type { Area, BarItem, Section, TodaySource } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/worker/import': typeof import('./import-search.ts').ImportHomeSearch
    '/worker/import/$id': typeof import('./import-search.ts').ImportSearch
  }
}

const section = {
  tab: 'worker',
  page: 'tech',
  title: 'Import',
  icon: IconDatabaseImport,
  permission: importPermissions,
  order: 55,
  load: () => import('./import.screen.tsx'),
} as const

const sections: readonly Section[] = [
  { ...section, path: '/worker/import' },
  { ...section, path: '/worker/import/$id', isUnlisted: true },
]

const todaySources: readonly TodaySource[] = [
  {
    id: 'imports',
    what: 'imports',
    permission: importPermissions,
    group: 'needs',
    topic: 'imports',
    find: async (signal) => (await import('./today.ts')).findImports(signal),
  },
]

const topic: LiveTopic = 'imports'

const barItems: readonly BarItem[] = [{ topic, load: () => import('./running-import.tsx') }]

export const importsArea: Area = { sections, todaySources, barItems }
