import { IconBug, IconHeartbeat, IconPlugConnected } from '@tabler/icons-react'
import { hrefTo } from '#platform/routing/links.ts'
import type { Verb } from '#platform/routing/verbs.ts'

export const techVerbs: readonly Verb[] = [
  {
    id: 'errors-handle',
    title: 'Handle errors',
    words: 'reopen error log',
    permission: 'errors.view',
    icon: IconBug,
    screen: '/worker/tech/errors',
    calls: ['POST /api/tech/errors/:id/handle', 'POST /api/tech/errors/:id/reopen'],
    run: (go) => go(hrefTo('/worker/tech/errors')),
  },
  {
    id: 'deliveries-retry',
    title: 'Retry failed deliveries',
    words: 'discard email text integration',
    permission: 'integrations.events',
    icon: IconPlugConnected,
    screen: '/worker/tech/integrations',
    calls: [
      'POST /api/tech/deliveries/:id/retry',
      'POST /api/tech/deliveries/:id/discard',
      'POST /api/tech/deliveries/retry-dead',
    ],
    run: (go) => go(hrefTo('/worker/tech/integrations')),
  },
  {
    id: 'health-check',
    title: 'Check system health',
    permission: 'health.view',
    icon: IconHeartbeat,
    screen: '/worker/tech/health',
    calls: ['POST /api/tech/health/check'],
    run: (go) => go(hrefTo('/worker/tech/health')),
  },
]
