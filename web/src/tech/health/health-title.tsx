import type { HealthCheck } from '@limber/contract/tech/health/health.ts'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { placeOfWork } from './health-words.ts'

/** The name of a component, linked to the screen where its problems can be fixed. */
export function HealthTitle({ check, className }: { check: HealthCheck; className?: string | undefined }) {
  const place = placeOfWork(check)
  if (!place) return <span>{check.title}</span>
  return (
    <RecordLink {...place} className={className}>
      {check.title}
    </RecordLink>
  )
}
