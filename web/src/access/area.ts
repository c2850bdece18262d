import { IconShieldLock, IconUserCircle } from '@tabler/icons-react'
import type { Area, PaletteSource, Section, TodaySource } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/dashboard/worker-profile': NoSearch
    '/worker/tech/access': typeof import('./workers/worker-search.ts').WorkerSearch
    '/worker/tech/access/recoveries': typeof import('./recovery/recoveries.screen.tsx').Search
    '/worker/tech/access/audit': typeof import('./audit/audit-search.ts').AuditSearch
    '/worker/tech/access/api-keys': typeof import('./api-keys/api-key-search.ts').ApiKeySearch
    '/worker/tech/access/webhooks': typeof import('./webhooks/webhook-search.ts').WebhookSearch
  }
}

const access = {
  tab: 'worker',
  page: 'tech',
  title: 'Access & audit',
  icon: IconShieldLock,
  permission: 'access.manage',
  order: 60,
} as const

const sections: readonly Section[] = [
  {
    tab: 'worker',
    page: 'worker',
    title: 'My profile',
    path: '/dashboard/worker-profile',
    icon: IconUserCircle,
    permission: 'signed-in',
    order: 0,
    load: () => import('./profile/profile.screen.tsx'),
  },
  { ...access, path: '/worker/tech/access', load: () => import('./workers/workers.screen.tsx') },
  {
    ...access,
    path: '/worker/tech/access/recoveries',
    isUnlisted: true,
    load: () => import('./recovery/recoveries.screen.tsx'),
  },
  { ...access, path: '/worker/tech/access/audit', isUnlisted: true, load: () => import('./audit/audit.screen.tsx') },
  {
    ...access,
    path: '/worker/tech/access/api-keys',
    isUnlisted: true,
    load: () => import('./api-keys/api-keys.screen.tsx'),
  },
  {
    ...access,
    path: '/worker/tech/access/webhooks',
    isUnlisted: true,
    load: () => import('./webhooks/webhooks.screen.tsx'),
  },
]

const paletteSources: readonly PaletteSource[] = [
  {
    id: 'workers',
    title: 'Workers',
    permission: 'access.manage',
    // Loaded with the first search, not with the shell.
    find: async (text, signal) => (await import('./palette-search.ts')).findWorkers(text, signal),
  },
]

const todaySources: readonly TodaySource[] = [
  {
    id: 'recoveries',
    what: 'recovery requests',
    permission: 'access.manage',
    group: 'needs',
    topic: 'access',
    find: async (signal, session) => (await import('./today.ts')).findRecoveries(signal, session),
  },
  {
    id: 'webhooks',
    what: 'webhook endpoints',
    permission: 'access.manage',
    group: 'needs',
    topic: 'webhooks',
    find: async (signal) => (await import('./today.ts')).findOffWebhooks(signal),
  },
  {
    id: 'changes',
    what: 'recent changes',
    permission: 'access.manage',
    group: 'changes',
    find: async (signal) => (await import('./today.ts')).findChanges(signal),
  },
]

export const accessArea: Area = { sections, paletteSources, todaySources }
