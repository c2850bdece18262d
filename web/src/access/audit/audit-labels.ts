import type { AuditRow } from '@limber/contract/access/audit/audit.ts'

/** A machine word such as `worker_invited` or `creditsPerDay` in sentence case. */
const sentenceCase = (word: string) => {
  const text = word
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const actionLabel = sentenceCase
export const fieldLabel = sentenceCase
export const subjectLabel = sentenceCase

export const outcomeLabels: Record<AuditRow['outcome'], string> = { done: 'Done', refused: 'Rejected' }

/** A refusal's reason may be a code of ours. Text that someone typed stays as it is. */
export const reasonText = ({ reason, outcome }: Pick<AuditRow, 'reason' | 'outcome'>) =>
  reason && outcome === 'refused' && /^[a-z0-9_]+$/.test(reason) ? sentenceCase(reason) : reason

export const whoText = ({ worker, actor }: AuditRow) =>
  worker ? (worker.name ?? `Worker ${worker.id}`) : (actor ?? 'Not signed in')

export const subjectText = ({ subject, subjectId }: AuditRow) =>
  [subject && subjectLabel(subject), subjectId].filter(Boolean).join(' ') || '--'
