import type { InboundEvent } from '@limber/contract/tech/integrations/integration.ts'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import styles from '../tech.module.css'
import { inboundQuery } from './integration.api.ts'
import { aboutText, kindText, statusLabels, statusMeaning } from './integration-labels.ts'
import { Payload } from './payload.tsx'

function InboundFacts({ event }: { event: InboundEvent }) {
  return (
    <>
      {event.status === 'failed' && (
        <Banner kind="amber">This event could not be processed. Most senders retry automatically.</Banner>
      )}
      <Facts>
        <Facts.Row label="Status">
          <StatusBadge meaning={statusMeaning[event.status]}>{statusLabels[event.status]}</StatusBadge>
        </Facts.Row>
        <Facts.Row label="Signature">{event.isSigned ? 'valid' : 'invalid'}</Facts.Row>
        <Facts.Row label="First received">
          <Moment at={event.at} />
        </Facts.Row>
        {event.tries > 1 && (
          <Facts.Row label="Received">
            {event.tries} times, last <Moment at={event.lastReceivedAt} />
          </Facts.Row>
        )}
        <Facts.Row label="Processed">
          <Moment at={event.settledAt} absent="not yet" />
        </Facts.Row>
        <Facts.Row label="Last error">
          {event.lastError ? <span className={styles.problem}>{event.lastError}</span> : 'none'}
        </Facts.Row>
        <Facts.Row label="Key">
          <code className={styles.code}>{event.key}</code>
        </Facts.Row>
        <Facts.Row label="IP address">{event.address ?? 'unknown'}</Facts.Row>
        {event.requestId && (
          <Facts.Row label="Request ID">
            <code className={styles.code}>{event.requestId}</code>
            <CopyButton text={event.requestId} label="Copy request ID" />
          </Facts.Row>
        )}
      </Facts>
      <Payload payload={event.payload} />
    </>
  )
}

export function InboundDetail({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery(inboundQuery(id))
  const event = query.data
  return (
    <Dialog
      isOpen
      isSide
      onClose={onClose}
      title={event ? aboutText(event) : 'Inbound event'}
      context={event ? `Inbound, ${kindText(event.kind).toLowerCase()}` : 'Inbound'}
      size={520}
    >
      <QueryView query={query} loading={<TextSkeleton lines={9} />} failure="Couldn't load this event">
        {(loaded) => <InboundFacts event={loaded} />}
      </QueryView>
    </Dialog>
  )
}
