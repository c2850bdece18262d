import type { WebhookEndpoint } from '@limber/contract/access/webhooks/webhook.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Button, Switch } from '@mantine/core'
import { useState } from 'react'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { ActionMenu } from '../secrets/action-menu.tsx'
import { Deliveries } from './deliveries.tsx'
import { type Shown, useSendTest, useUpdateEndpoint } from './webhook.api.ts'
import { endpointName, firstTryText, offText } from './webhook-labels.ts'
import styles from './webhooks.module.css'

export type EndpointAction = 'edit' | 'rotate' | 'delete'

interface Props {
  endpoint: WebhookEndpoint
  show: Shown
  deliveryId: number
  onShow: (show: Shown) => void
  onDelivery: (id: number) => void
  onAct: (action: EndpointAction) => void
}

function OnOff({ endpoint }: { endpoint: WebhookEndpoint }) {
  const update = useUpdateEndpoint(endpoint.id)
  const [wanted, setWanted] = useState<boolean>()
  const isOn = wanted ?? endpoint.enabled
  const change = async (enabled: boolean) => {
    setWanted(enabled)
    await update
      .mutateAsync({ enabled, version: endpoint.version })
      .then(
        () => toast(`${endpointName(endpoint)} is ${enabled ? 'on' : 'off'}.`),
        (error: unknown) => toastFailure("Couldn't change the endpoint", error),
      )
      .finally(() => setWanted(undefined))
  }
  return (
    <Switch
      label={isOn ? 'On' : 'Off'}
      aria-label="Deliver events"
      checked={isOn}
      disabled={update.isPending}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  )
}

/** One endpoint: its switch, four figures and the delivery log. */
export function EndpointDetail({ endpoint, show, deliveryId, onShow, onDelivery, onAct }: Props) {
  const test = useSendTest(endpoint.id)
  const name = endpointName(endpoint)
  const reason = offText(endpoint)
  const sendTest = () =>
    test.mutateAsync(undefined).then(
      ({ delivery }) => {
        toast('Test event sent. Its result appears below.')
        onDelivery(delivery.id)
      },
      (error: unknown) => toastFailure("Couldn't send the test event", error),
    )
  const behind = endpoint.waiting + endpoint.failed
  return (
    <section className={styles.card} aria-label={name}>
      <div className={styles.head}>
        <div>
          <h2>{name}</h2>
          <p className={styles.url}>{endpoint.url}</p>
        </div>
        <div className={styles.actions}>
          <OnOff endpoint={endpoint} />
          <Button variant="default" size="xs" loading={test.isPending} onClick={() => void sendTest()}>
            Send test event
          </Button>
          <Button variant="default" size="xs" onClick={() => onAct('rotate')}>
            Rotate secret
          </Button>
          <ActionMenu
            label={`More for ${name}`}
            items={[
              { label: 'Edit URL and events', onChoose: () => onAct('edit') },
              { label: 'Delete', isRed: true, onChoose: () => onAct('delete') },
            ]}
          />
        </div>
      </div>
      {reason && (
        <div className={styles.note}>
          <Banner kind="red">
            <b>{reason}.</b>{' '}
            {endpoint.waiting > 0 &&
              `${pluralize(endpoint.waiting, 'event')} ${endpoint.waiting === 1 ? 'is' : 'are'} waiting, to be sent in order when it is on again. `}
            Send a test event first, then turn it on.
          </Banner>
        </div>
      )}
      <StatStrip
        label="Last 24 hours"
        stats={[
          { id: 'delivered', label: 'Delivered, 24 h', value: formatInteger(endpoint.delivered) },
          { id: 'first', label: 'First try', value: firstTryText(endpoint) },
          {
            id: 'median',
            label: 'Median',
            value: endpoint.medianMs === null ? '–' : formatInteger(endpoint.medianMs),
            ...(endpoint.medianMs !== null && { unit: 'ms' }),
          },
          { id: 'behind', label: 'Not delivered', value: formatInteger(behind) },
        ]}
      />
      <Deliveries endpoint={endpoint} show={show} openId={deliveryId} onShow={onShow} onOpen={onDelivery} />
      <p className={styles.foot}>
        Events of one record are delivered in order. A later one waits until the earlier one is delivered or has failed
        for good.
      </p>
    </section>
  )
}
