import type { AuditRow } from '@limber/contract/access/audit/audit.ts'

export const whoText = ({ worker }: AuditRow) => (worker ? (worker.name ?? `Worker ${worker.id}`) : 'Nobody signed in')
export const subjectText = ({ subject, subjectId }: AuditRow) =>
  [subject?.replaceAll('_', ' '), subjectId].filter(Boolean).join(' ') || '--'
