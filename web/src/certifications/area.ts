import { IconCertificate } from '@tabler/icons-react'
import type { Area, Section, TodaySource } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/certifications': typeof import('./certification-search.ts').CertificationSearch &
      typeof import('#ui/table/table-state.ts').TableSearch
  }
}

const sections: readonly Section[] = [
  {
    tab: 'worker',
    page: 'managing',
    group: 'Practitioners & Partners',
    title: 'Certifications',
    path: '/certifications',
    icon: IconCertificate,
    permission: 'businesses.manage',
    order: 52,
    load: () => import('./certifications.screen.tsx'),
  },
]

const todaySources: readonly TodaySource[] = [
  {
    id: 'certifications.expiring',
    what: 'expiring certifications',
    permission: 'businesses.manage',
    group: 'needs',
    topic: 'certifications',
    // Loaded with the Today panel, not with the shell.
    find: async (signal) => (await import('./today.ts')).findExpiring(signal),
  },
  {
    id: 'certifications.due',
    what: 'certifications to issue',
    permission: 'businesses.manage',
    group: 'needs',
    find: async (signal) => (await import('./today.ts')).findDue(signal),
  },
]

export const certificationsArea: Area = { sections, todaySources }
