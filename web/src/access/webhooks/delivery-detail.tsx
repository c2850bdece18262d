import type { WebhookDelivery } from '@limber/contract/access/webhooks/webhook.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { deliveryQuery } from './webhook.api.ts'
import { attemptStatus, requestText } from './webhook-labels.ts'
import styles from './webhooks.module.css'

function Attempts({ delivery }: { delivery: WebhookDelivery }) {
  return (
    <ol className={styles.attempts}>
      {delivery.attempts.map((attempt) => {
        const { meaning, text } = attemptStatus(attempt)
        return (
          <li key={attempt.at}>
            <StatusDot meaning={meaning}>{text}</StatusDot>
            <Moment at={attempt.at} form="seconds" />
            <span className={styles.quiet}>{formatInteger(attempt.durationMs)} ms</span>
          </li>
        )
      })}
      {delivery.nextAttemptAt && (
        <li>
          <StatusDot>next</StatusDot>
          <Moment at={delivery.nextAttemptAt} />
        </li>
      )}
      {delivery.attempts.length === 0 && !delivery.nextAttemptAt && (
        <li className={styles.quiet}>
          {delivery.waitsForEarlier
            ? 'Waiting for an earlier event of this record.'
            : 'Waiting until the endpoint is on.'}
        </li>
      )}
    </ol>
  )
}

/** The attempts, the request and the reply of one delivery. */
export function DeliveryDetail({ endpointId, id }: { endpointId: number; id: number }) {
  const query = useQuery(deliveryQuery(endpointId, id))
  return (
    <QueryView query={query} failure="Couldn't load this delivery" loading={<TextSkeleton lines={4} />}>
      {({ delivery }) => (
        <div className={styles.detailGrid}>
          <div>
            <h4>Attempts</h4>
            <Attempts delivery={delivery} />
          </div>
          <div>
            <h4>Request</h4>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
            <pre className={styles.pre} tabIndex={0}>
              {requestText(delivery)}
            </pre>
          </div>
          <div>
            <h4>Reply</h4>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
            <pre className={styles.pre} tabIndex={0}>
              {delivery.reply ?? 'No reply.'}
            </pre>
          </div>
        </div>
      )}
    </QueryView>
  )
}
