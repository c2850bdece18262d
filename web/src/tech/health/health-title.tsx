import type { HealthCheck } from '@limber/contract/tech/health/health.ts'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { repairLinkOf } from './health-labels.ts'

/** The name of a component, linked to the screen where its problems can be fixed. */
export function HealthTitle({ check, className }: { check: HealthCheck; className?: string | undefined }) {
  const link = repairLinkOf(check)
  if (!link) return <span>{check.title}</span>
  return (
    <RecordLink {...link} className={className}>
      {check.title}
    </RecordLink>
  )
}
