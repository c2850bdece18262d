import { type Delivery, discardDelivery } from '@limber/contract/tech/integrations/integration.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { AreaField } from '#ui/form/fields.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import styles from '../tech.module.css'
import { deliveryQuery, useDiscard, useRetry } from './integration.api.ts'
import { aboutText, kindText, statusLabels, statusMeaning } from './integration-labels.ts'
import { Payload } from './payload.tsx'

function StatusBanner({ delivery }: { delivery: Delivery }) {
  const { status, kind, isConnected, discarded, retried } = delivery
  if (discarded)
    return (
      <Banner>
        Discarded by {discarded.by ?? 'a worker'} on <Moment at={discarded.at} />: {discarded.reason}
      </Banner>
    )
  if (!isConnected && status !== 'sent')
    return (
      <Banner kind="amber">{kindText(kind)}: no service is connected. The delivery waits until one is set up.</Banner>
    )
  if (status === 'dead')
    return <Banner kind="red">This delivery failed. Fix the cause and retry it, or discard it.</Banner>
  if (retried && status !== 'sent')
    return (
      <Banner kind="blue">
        Retried by {retried.by ?? 'a worker'} on <Moment at={retried.at} />.
      </Banner>
    )
  return null
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  return (
    <>
      <StatusBanner delivery={delivery} />
      <Facts>
        <Facts.Row label="Status">
          <StatusBadge meaning={statusMeaning[delivery.status]}>{statusLabels[delivery.status]}</StatusBadge>
        </Facts.Row>
        <Facts.Row label="Created">
          <Moment at={delivery.at} />
        </Facts.Row>
        <Facts.Row label="Attempts">{delivery.tries}</Facts.Row>
        <Facts.Row label="Last attempt">
          <Moment at={delivery.lastTryAt} absent="none yet" />
        </Facts.Row>
        {delivery.sentAt ? (
          <Facts.Row label="Sent">
            <Moment at={delivery.sentAt} />
          </Facts.Row>
        ) : (
          <Facts.Row label="Next attempt">
            <Moment at={delivery.nextTryAt} absent="none" />
          </Facts.Row>
        )}
        <Facts.Row label="Last error">
          {delivery.lastError ? <span className={styles.problem}>{delivery.lastError}</span> : 'none'}
        </Facts.Row>
        <Facts.Row label="Key">
          <code className={styles.code}>{delivery.key}</code>
        </Facts.Row>
        {delivery.outsideId && (
          <Facts.Row label="External ID">
            <code className={styles.code}>{delivery.outsideId}</code>
          </Facts.Row>
        )}
      </Facts>
      <Payload payload={delivery.payload} />
    </>
  )
}

/** One delivery: its status and content, with retry and discard. */
export function DeliveryDetail({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery(deliveryQuery(id))
  const retry = useRetry(id)
  const discard = useDiscard(id)
  const [isDiscarding, setDiscarding] = useState(false)
  const delivery = query.data
  const isOpen = delivery && ['waiting', 'retrying', 'dead'].includes(delivery.status)
  const retryNow = () =>
    void retry.mutateAsync().then(
      () => toast('Retrying the delivery.'),
      (error: unknown) => toastFailure("Couldn't retry the delivery", error),
    )
  const foot = isOpen && (
    <>
      <Button variant="default" onClick={() => setDiscarding(true)}>
        Discard
      </Button>
      <Button loading={retry.isPending} onClick={retryNow}>
        {delivery.status === 'waiting' ? 'Send now' : 'Retry'}
      </Button>
    </>
  )
  return (
    <>
      <Dialog
        isOpen
        isSide
        onClose={onClose}
        title={delivery ? aboutText(delivery) : 'Delivery'}
        context={delivery ? `Outgoing, ${kindText(delivery.kind).toLowerCase()}` : 'Outgoing'}
        size={520}
        foot={foot}
      >
        <QueryView query={query} loading={<TextSkeleton lines={9} />} failure="Couldn't load this delivery">
          {(loaded) => <DeliveryFacts delivery={loaded} />}
        </QueryView>
      </Dialog>
      <FormDialog
        isOpen={isDiscarding}
        onClose={() => setDiscarding(false)}
        title="Discard this delivery?"
        context="It will never be sent. This cannot be undone."
        submit="Discard"
        isDestructive
        schema={discardDelivery.body}
        mutation={discard}
        onDone={() => toast('Delivery discarded.')}
      >
        <AreaField label="Reason" name="reason" rows={2} hint="Shown here and saved in the audit log." />
      </FormDialog>
    </>
  )
}
