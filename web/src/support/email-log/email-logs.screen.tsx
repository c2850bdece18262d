import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { Email } from '@limber/contract/kit/values.ts'
import { EmailDelivery, exportEmailLogs } from '@limber/contract/support/email-log/email-log.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { useRowNavigation } from '#ui/table/row-navigation.ts'
import { EmailFilters } from './email-filters.tsx'
import { emailLogsQuery } from './email-log.api.ts'
import styles from './email-logs.module.css'
import { EmailSearch } from './email-search.ts'
import { EmailTable } from './email-table.tsx'
import { deliveryLabels } from './labels.ts'

const loadMessage = () => import('./email-message.tsx')
const EmailPane = lazy(async () => ({ default: (await loadMessage()).EmailPane }))
const EmailBody = lazy(async () => ({ default: (await loadMessage()).EmailBody }))

const states = [
  { value: '', label: 'All' },
  ...EmailDelivery.options.map((delivery) => ({ value: delivery as string, label: deliveryLabels[delivery] })),
]

const PER_PAGE = 10

export default function EmailLogs() {
  const [search, change] = useSearchState(EmailSearch)
  const list = useRef<HTMLDivElement>(null)
  useRowNavigation(list)
  const isNarrow = useMediaQuery('(max-width: 1199px)', false, { getInitialValueInEffect: false })
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
  const open = data?.data.find(({ id }) => id === search.email)
  const close = () => change({ email: 0 })
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
      <div className={styles.state}>
        <SegmentedControl
          aria-label="Delivery"
          data={states}
          value={delivery}
          onChange={(next) => change({ delivery: EmailSearch.shape.delivery.parse(next), page: 1, email: 0 })}
        />
      </div>
      <div className={styles.split} data-open={(open && !isNarrow) || undefined} ref={list}>
        <SectionCard isFlush>
          <EmailFilters
            search={search}
            onChange={(part) => change({ ...part, page: 1, email: 0 }, { replace: true })}
          />
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
          {data && !isError && data.data.length > 0 && <EmailTable logs={data.data} search={search} />}
          {data && !isError && (
            <nav className={styles.foot} aria-label="Pages">
              <Button
                variant="default"
                disabled={page <= 1}
                onClick={() => change({ page: Math.min(page, pages + 1) - 1, email: 0 })}
              >
                Previous
              </Button>
              <span role="status">
                Page {page} of {pages} (Total: {data.pagination.isMore && 'more than '}
                {formatInteger(data.pagination.totalItems)})
              </span>
              <Button variant="default" disabled={page >= pages} onClick={() => change({ page: page + 1, email: 0 })}>
                Next
              </Button>
            </nav>
          )}
        </SectionCard>
        {open && !isNarrow && (
          <Suspense>
            <EmailPane key={open.id} log={open} onClose={close} />
          </Suspense>
        )}
      </div>
      {open && isNarrow && (
        <Dialog isOpen isSide focusesClose onClose={close} title={open.subject} size={480}>
          <Suspense>
            <EmailBody key={open.id} log={open} />
          </Suspense>
        </Dialog>
      )}
    </>
  )
}
