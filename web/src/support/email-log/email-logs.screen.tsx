import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { Email } from '@limber/contract/kit/values.ts'
import { type EmailLog, exportEmailLogs } from '@limber/contract/support/email-log/email-log.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { prefetchOnHover } from '#platform/api/prefetch-on-hover.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { EmailFilters } from './email-filters.tsx'
import { emailLogsQuery } from './email-log.api.ts'
import styles from './email-logs.module.css'
import { EmailSearch } from './email-search.ts'
import { EmailTable } from './email-table.tsx'

const loadReveal = () => import('./reveal-dialog.tsx')
const RevealDialog = lazy(loadReveal)

const PER_PAGE = 10

export default function EmailLogs() {
  const [search, change] = useSearchState(EmailSearch)
  const [revealed, setRevealed] = useState<EmailLog>()
  const { page, type, recipient, from, to, delivery } = search
  const filters = {
    type,
    delivery,
    ...(from && { from }),
    ...(to && { to }),
    // The URL may contain anything; only a valid address is sent.
    ...(Email.safeParse(recipient).success ? { recipient } : {}),
  }
  const query = useQuery(emailLogsQuery({ page: String(page), limit: String(PER_PAGE), ...filters }))
  const { data, isError, error } = query
  const pages = data?.pagination.totalPages ?? 1
  return (
    <>
      <PageHead
        title="Email Logs"
        actions={<ExportButton call={exportEmailLogs} query={filters} total={data?.pagination.totalItems} />}
        isOneLine
      >
        Emails sent to customers and partners. Recipients and contents are encrypted.
      </PageHead>
      <SectionCard isFlush>
        <EmailFilters search={search} onChange={(part) => change({ ...part, page: 1 }, { replace: true })} />
        {!data && !isError && (
          <p className={styles.notice} role="status">
            Loading...
          </p>
        )}
        {isError && (
          <div className={styles.notice} role="alert">
            <p className={styles.error}>Error: Failed to fetch email logs</p>
            <p>{messageOf(error)}</p>
            <Button variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
              Retry
            </Button>
          </div>
        )}
        {data && !isError && data.data.length === 0 && <p className={styles.notice}>No email logs found</p>}
        {data && !isError && data.data.length > 0 && (
          <EmailTable logs={data.data} prefetchReveal={prefetchOnHover(loadReveal)} onReveal={setRevealed} />
        )}
        {data && !isError && (
          <nav className={styles.foot} aria-label="Pages">
            <Button
              variant="default"
              disabled={page <= 1}
              onClick={() => change({ page: Math.min(page, pages + 1) - 1 })}
            >
              Previous
            </Button>
            <span role="status">
              Page {page} of {pages} (Total: {data.pagination.isMore && 'more than '}
              {formatInteger(data.pagination.totalItems)})
            </span>
            <Button variant="default" disabled={page >= pages} onClick={() => change({ page: page + 1 })}>
              Next
            </Button>
          </nav>
        )}
      </SectionCard>
      <Suspense>
        {revealed && <RevealDialog key={revealed.id} log={revealed} onClose={() => setRevealed(undefined)} />}
      </Suspense>
    </>
  )
}
