import type { AuditRow } from '@limber/contract/access/audit/audit.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { hasAccess, useSession } from '#platform/session/session.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { auditEntryQuery } from '../access.api.ts'
import { WorkerLink } from '../public.tsx'
import styles from './audit-diff.module.css'
import { AuditDiff } from './audit-diff.tsx'
import { outcomeLabels, reasonText, subjectText, whoText } from './audit-labels.ts'
import { auditActor, auditPhrase } from './audit-sentence.ts'
import { recordOf } from './record-of.ts'

/** The affected record, as a link for those who may open it. */
function Subject({ entry }: { entry: AuditRow }) {
  const session = useSession()
  const record = recordOf(entry, (needs) => hasAccess(session, needs))
  if (!record) return subjectText(entry)
  return (
    <Link to={record.to} search={record.search} preload={false}>
      {subjectText(entry)}
    </Link>
  )
}

function Entry({ entry }: { entry: AuditRow }) {
  const { at, outcome, call, reason, address, requestId, before, after, areValuesHidden } = entry
  return (
    <>
      <Facts>
        <Facts.Row label="When">
          <Moment at={at} />
        </Facts.Row>
        <Facts.Row label="Who">
          {entry.worker ? (
            <>
              <WorkerLink id={entry.worker.id}>{whoText(entry)}</WorkerLink> (worker {entry.worker.id})
            </>
          ) : (
            whoText(entry)
          )}
        </Facts.Row>
        <Facts.Row label="Record">
          <Subject entry={entry} />
        </Facts.Row>
        <Facts.Row label="Outcome">
          <StatusBadge meaning={outcome === 'done' ? 'green' : 'red'}>{outcomeLabels[outcome]}</StatusBadge>
        </Facts.Row>
        {reason && <Facts.Row label="Reason">{reasonText(entry)}</Facts.Row>}
        <Facts.Row label="API call">{call}</Facts.Row>
        {address && <Facts.Row label="IP address">{address}</Facts.Row>}
        {requestId && <Facts.Row label="Request ID">{requestId}</Facts.Row>}
      </Facts>
      {areValuesHidden ? (
        <p className={styles.note}>You do not have permission to see the values of this record.</p>
      ) : (
        <AuditDiff before={before} after={after} />
      )}
    </>
  )
}

interface Props {
  id: number
  /** The rows of the list, which often include this entry. */
  loaded: readonly AuditRow[]
  onClose: () => void
}

export function AuditEntry({ id, loaded, onClose }: Props) {
  const query = useQuery(auditEntryQuery(id, loaded))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={query.data ? `${auditActor(query.data)} ${auditPhrase(query.data)}` : 'Audit entry'}
      context={`Entry ${id}`}
      size={640}
    >
      <QueryView query={query} loading={<TextSkeleton lines={6} />} failure="Couldn't load this entry">
        {(entry) => <Entry entry={entry} />}
      </QueryView>
    </Dialog>
  )
}
