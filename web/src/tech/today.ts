import { readHealth } from '@limber/contract/tech/health/health.ts'
import { countIntegrations } from '@limber/contract/tech/integrations/integration.ts'
import { IconHeartbeat, IconPlugConnected } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { TodayItem } from '#platform/routing/sections.ts'
import { inlineLabel, problemsOf } from './health/health-labels.ts'
import { deliveriesText } from './integrations/integration-labels.ts'
import { retryAll } from './integrations/retry-all.ts'

/** System components with problems. */
export async function findHealthProblems(signal: AbortSignal): Promise<TodayItem[]> {
  const health = await send(readHealth, {}, { signal })
  const path = hrefTo('/worker/tech/health')
  if (health.isStale && health.checkedAt)
    return [
      {
        id: 'health-stale',
        need: 'broken',
        title: 'System health: checks are not running',
        detail: 'The health check schedule has stopped.',
        path,
        icon: IconHeartbeat,
        action: { label: 'Open' },
      },
    ]
  return problemsOf(health).map(({ name, title, status, summary }) => ({
    id: `health-${name}`,
    need: 'broken',
    title: `${title}: ${inlineLabel(status)}`,
    detail: summary,
    path,
    icon: IconHeartbeat,
    action: { label: 'Open' },
  }))
}

export async function findFailedDeliveries(signal: AbortSignal): Promise<TodayItem[]> {
  const { dead } = await send(countIntegrations, {}, { signal })
  if (dead === 0) return []
  return [
    {
      id: 'deliveries-dead',
      need: 'broken',
      title: `${deliveriesText(dead)} failed`,
      path: hrefTo('/worker/tech/integrations', { status: 'dead' }),
      icon: IconPlugConnected,
      action: { label: 'Retry all', run: () => retryAll(dead) },
      covers: 'health-deliveries',
    },
  ]
}
