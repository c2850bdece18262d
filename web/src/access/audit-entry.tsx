import type { AuditRow } from '@limber/contract/access/audit.ts'
import { Link } from '@tanstack/react-router'
import { opens, useSession } from '#platform/session.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Facts } from '#ui/facts.tsx'
import { Moment } from '#ui/moment.tsx'
import { StatusBadge } from '#ui/status.tsx'
import { AuditDiff } from './audit-diff.tsx'
import { subjectText, whoText } from './audit-words.ts'
import { WorkerLink } from './public.tsx'
import { recordOf } from './record-of.ts'

/** What it was done to, which leads to the record. */
function Subject({ entry }: { entry: AuditRow }) {
  const session = useSession()
  const record = recordOf(entry, (needs) => opens(session, needs))
  if (!record) return subjectText(entry)
  return (
    <Link to={record.to} search={record.search as never} preload={false}>
      {subjectText(entry)}
    </Link>
  )
}

/** One entry in full: who, what, to what, from where, before and after. */
export function AuditEntry({ entry, onClose }: { entry: AuditRow; onClose: () => void }) {
  const { at, action, outcome, call, reason, address, requestId, before, after } = entry
  return (
    <Dialog isOpen onClose={onClose} title={action} context={`Row ${entry.id}`} size={640}>
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
        <Facts.Row label="To what">
          <Subject entry={entry} />
        </Facts.Row>
        <Facts.Row label="Outcome">
          <StatusBadge meaning={outcome === 'done' ? 'green' : 'red'}>{outcome}</StatusBadge>
        </Facts.Row>
        {reason && <Facts.Row label="Reason">{reason}</Facts.Row>}
        <Facts.Row label="Call">{call}</Facts.Row>
        {address && <Facts.Row label="From">{address}</Facts.Row>}
        {requestId && <Facts.Row label="Request">{requestId}</Facts.Row>}
      </Facts>
      <AuditDiff before={before} after={after} />
    </Dialog>
  )
}
