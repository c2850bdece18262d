import type { EmailLog } from '@limber/contract/support/email-log/email-log.ts'
import { Button } from '@mantine/core'
import type { prefetchOnHover } from '#platform/api/prefetch-on-hover.ts'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { PlainTable } from '#ui/table/plain-table.tsx'
import styles from './email-logs.module.css'
import { deliveryLabels, previewOf, recipientText, typeLabels } from './labels.ts'

interface Props {
  logs: readonly EmailLog[]
  /** Prefetch handlers for each Reveal button. */
  prefetchReveal: ReturnType<typeof prefetchOnHover>
  onReveal: (log: EmailLog) => void
}

/** Logged emails. Recipient and content stay encrypted until a worker reveals one with a reason. */
export function EmailTable({ logs, prefetchReveal, onReveal }: Props) {
  return (
    <PlainTable label="Email Logs">
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">To (Encrypted)</th>
          <th scope="col">Subject</th>
          <th scope="col">Type</th>
          <th scope="col">Content</th>
          <th scope="col">Sent At</th>
        </tr>
      </thead>
      <tbody>
        {logs.map((log) => (
          <tr key={log.id}>
            <td>
              <span className={styles.from} title={log.from_address}>
                {log.from_address}
              </span>
            </td>
            <td>
              <span className={styles.sealed}>{recipientText(log)}</span>
            </td>
            <td>
              <span className={styles.subject} title={log.subject}>
                {log.subject}
              </span>
            </td>
            <td>{typeLabels[log.type]}</td>
            <td>
              <span className={styles.content}>
                <span className={styles.preview}>{previewOf(log)}</span>
                {log.iv_html_content && (
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={`Reveal ${log.subject}`}
                    {...prefetchReveal}
                    onClick={() => onReveal(log)}
                  >
                    Reveal
                  </Button>
                )}
              </span>
            </td>
            <td>
              <span className={styles.sent}>
                <Moment at={log.createdAt} />
                {log.delivery !== 'sent' && (
                  <StatusDot meaning={log.delivery === 'failed' ? 'red' : 'amber'}>
                    {deliveryLabels[log.delivery]}
                  </StatusDot>
                )}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}
