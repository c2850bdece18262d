import type { WorkerDetail, WorkerStatus } from '@limber/contract/access/workers/worker.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const statusMeaning: Record<WorkerStatus, Meaning> = { invited: 'amber', active: 'green', disabled: 'red' }

/** The newest onboarding link of a worker, in words. */
export const linkWords: Record<WorkerDetail['link'], string> = {
  none: 'None',
  open: 'Open',
  expired: 'Expired',
  used: 'Used up',
  revoked: 'Revoked',
}
