import type { WorkerDetail, WorkerStatus } from '@limber/contract/access/workers/worker.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const statusMeaning: Record<WorkerStatus, Meaning> = { invited: 'amber', active: 'green', disabled: 'red' }

export const statusLabels: Record<WorkerStatus, string> = { invited: 'Invited', active: 'Active', disabled: 'Disabled' }

/** The state of a worker's newest onboarding link. */
export const linkLabels: Record<WorkerDetail['link'], string> = {
  none: 'None',
  open: 'Open',
  expired: 'Expired',
  used: 'Used',
  revoked: 'Revoked',
}
