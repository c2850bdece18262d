import type { PermissionName } from '@limber/contract/access/permissions.ts'
import type { Health, HealthCheck, HealthStatus } from '@limber/contract/tech/health/health.ts'
import type { Path, SearchOf } from '#platform/routing/links.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const statusLabels: Record<HealthStatus, string> = {
  ok: 'OK',
  warning: 'Warning',
  down: 'Down',
  not_connected: 'Not connected',
}

/** The label inside a line of text. */
export const inlineLabel = (status: HealthStatus) => (status === 'ok' ? 'OK' : statusLabels[status].toLowerCase())

export const statusMeaning: Record<HealthStatus, Meaning> = {
  ok: 'green',
  warning: 'amber',
  down: 'red',
  not_connected: 'plain',
}

const needsAttention = ({ status }: HealthCheck) => status === 'down' || status === 'warning'

/** Components that need attention, worst first. */
export const problemsOf = ({ checks }: Health): HealthCheck[] =>
  checks.filter(needsAttention).toSorted((a, b) => Number(b.status === 'down') - Number(a.status === 'down'))

const hours = (cells: number) => {
  const minutes = cells * 15
  return minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 6) / 10} h`
}

/** The last 24 hours as text, for screen readers and tooltips. */
export function historyText(history: readonly (HealthStatus | null)[]): string {
  const count = (wanted: HealthStatus | null) => history.filter((status) => status === wanted).length
  const parts = (['down', 'warning', 'ok', 'not_connected'] as const)
    .filter((status) => count(status) > 0)
    .map((status) => `${inlineLabel(status)} for ${hours(count(status))}`)
  return `Last 24 hours: ${parts.join(', ') || 'no checks'}`
}

type RepairLink = { [P in Path]: { to: P; search?: SearchOf<P>; needs: PermissionName } }[Path]

const repairLinks: Record<string, RepairLink> = {
  schedules: { to: '/worker/tech/automation', needs: 'automation.manage' },
  deliveries: { to: '/worker/tech/integrations', search: { status: 'dead' }, needs: 'integrations.events' },
  'audit-chain': { to: '/worker/tech/access/audit', needs: 'access.manage' },
  events: { to: '/analytics/dashboard', needs: 'analytics.view' },
  backups: { to: '/worker/tech/backups', needs: 'backups.initiate' },
}

/** The screen where problems of a component can be fixed; none for external services. */
export const repairLinkOf = ({ name }: Pick<HealthCheck, 'name'>): RepairLink | undefined => repairLinks[name]
