import type { ReactNode } from 'react'
import { RecordLink } from '#platform/routing/record-link.tsx'

/** A link to a worker, for those who manage access. */
export function WorkerLink({ id, children }: { id: number; children: ReactNode }) {
  return (
    <RecordLink to="/worker/tech/access" search={{ worker: id }} needs="access.manage">
      {children}
    </RecordLink>
  )
}
