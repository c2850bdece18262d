import { IconBug, IconHeartbeat, IconPlugConnected } from '@tabler/icons-react'
import type { Area, Section, TodaySource } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/worker/tech/errors': typeof import('./errors/error-search.ts').ErrorSearch
    '/worker/tech/health': NoSearch
    '/worker/tech/integrations': typeof import('./integrations/integration-search.ts').IntegrationSearch
  }
}

const panel = { tab: 'worker', page: 'tech' } as const

const sections: readonly Section[] = [
  {
    ...panel,
    title: 'Error log',
    path: '/worker/tech/errors',
    icon: IconBug,
    permission: 'errors.view',
    order: 30,
    load: () => import('./errors/error-log.screen.tsx'),
  },
  {
    ...panel,
    title: 'System health',
    path: '/worker/tech/health',
    icon: IconHeartbeat,
    permission: 'health.view',
    order: 40,
    load: () => import('./health/health.screen.tsx'),
  },
  {
    ...panel,
    title: 'Integration events',
    path: '/worker/tech/integrations',
    icon: IconPlugConnected,
    permission: 'integrations.events',
    order: 50,
    load: () => import('./integrations/integrations.screen.tsx'),
  },
]

// Loaded with the Today panel, not with the shell.
const todaySources: readonly TodaySource[] = [
  {
    id: 'tech.health',
    what: 'system health',
    permission: 'health.view',
    group: 'needs',
    topic: 'health',
    find: async (signal) => (await import('./today.ts')).findHealthProblems(signal),
  },
  {
    id: 'tech.deliveries',
    what: 'failed deliveries',
    permission: 'integrations.events',
    group: 'needs',
    topic: 'integrations',
    find: async (signal) => (await import('./today.ts')).findFailedDeliveries(signal),
  },
]

export const techArea: Area = { sections, todaySources }
