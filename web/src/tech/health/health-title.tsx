import type { HealthCheck } from '@limber/contract/tech/health/health.ts'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { placeOfWork } from './health-words.ts'

/** The name of a part of the system; it leads to the place where something can be done about it. */
export function HealthTitle({ check, className }: { check: HealthCheck; className?: string | undefined }) {
  const place = placeOfWork(check)
  if (!place) return <span>{check.title}</span>
  return (
    <RecordLink {...place} className={className}>
      {check.title}
    </RecordLink>
  )
}
