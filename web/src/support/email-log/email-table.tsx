import type { EmailLog } from '@limber/contract/support/email-log/email-log.ts'
import { Link } from '@tanstack/react-router'
import { withSearch } from '#platform/routing/links.ts'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { PlainTable } from '#ui/table/plain-table.tsx'
import styles from './email-logs.module.css'
import type { EmailSearch } from './email-search.ts'
import { deliveryLabels, deliveryMeaning, previewOf, recipientText, typeLabels } from './labels.ts'

interface Props {
  logs: readonly EmailLog[]
  search: EmailSearch
}

/** Logged emails. Recipient and content stay encrypted until a worker opens one and gives a reason. */
export function EmailTable({ logs, search }: Props) {
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
          <tr key={log.id} data-open={log.id === search.email || undefined}>
            <td>
              <span className={styles.from} title={log.from_address}>
                {log.from_address}
              </span>
            </td>
            <td>
              <span className={styles.sealed}>{recipientText(log)}</span>
            </td>
            <td>
              <Link
                {...withSearch<'/support/email-logs'>({ email: log.id })}
                className={styles.subject ?? ''}
                title={log.subject}
                data-row
                activeProps={{}}
                aria-current={log.id === search.email ? 'true' : undefined}
                resetScroll={false}
              >
                {log.subject}
              </Link>
            </td>
            <td>{typeLabels[log.type]}</td>
            <td>
              <span className={styles.preview}>{previewOf(log)}</span>
            </td>
            <td>
              <span className={styles.sent}>
                <Moment at={log.createdAt} />
                <StatusDot meaning={deliveryMeaning[log.delivery]}>{deliveryLabels[log.delivery]}</StatusDot>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}
