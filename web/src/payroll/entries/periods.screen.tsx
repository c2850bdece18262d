import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { exportPeriods } from '@limber/contract/payroll/entries/period.ts'
import { Button } from '@mantine/core'
import { IconCalendarStats, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLiveRefresh } from '#platform/live/live.ts'
import { NextStep } from '#platform/routing/next-step.tsx'
import { useCan } from '#platform/session/session.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { dayText } from '#ui/format/day-text.ts'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { Dollars } from '../dollars.tsx'
import { PeriodFiles } from '../files/period-files.tsx'
import { labelOf, today } from '../labels.ts'
import styles from '../lists/lists.module.css'
import { PeriodLink } from '../lists/record-links.tsx'
import { type PayPeriod, payrollKey, periodsQuery, useClosePeriod } from '../payroll.api.ts'

/** Closes a period permanently, after a confirmation. */
function CloseButton({ period }: { period: PayPeriod }) {
  const close = useClosePeriod()
  const name = formatDayRange(period.starts_on, period.ends_on)
  const ask = async () => {
    const isYes = await confirm({
      title: `Close the pay period ${name}?`,
      body: 'No more entries can be added, and fixes of its entries can no longer be undone. A closed period cannot be reopened.',
      action: 'Close period',
      isDestructive: true,
    })
    if (!isYes) return
    void close.mutateAsync({ period_id: period.id, version: period.version }).then(
      () => toast(`Pay period ${name} closed.`),
      (error: unknown) => toastFailure(`Couldn't close the pay period ${name}`, error),
    )
  }
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={`Close ${name}`}
      leftSection={<Icon of={IconLock} size={14} />}
      loading={close.isPending}
      onClick={() => void ask()}
    >
      Close
    </Button>
  )
}

const columns: Column<PayPeriod>[] = [
  {
    key: 'period',
    title: 'Pay period',
    isTitle: true,
    cell: ({ id, starts_on, ends_on }) => <PeriodLink id={id} from={starts_on} to={ends_on} />,
  },
  { key: 'pay_date', title: 'Pay date', cell: ({ pay_date }) => dayText(pay_date) },
  { key: 'frequency', title: 'Frequency', cell: ({ frequency }) => labelOf(frequency) },
  { key: 'entries', title: 'Entries', isRight: true, cell: ({ entries }) => formatInteger(entries) },
  { key: 'amount', title: 'Amount', isRight: true, cell: ({ amount }) => <Dollars of={amount} /> },
  {
    key: 'status',
    title: 'Status',
    cell: ({ status }) => <StatusDot meaning={status === 'open' ? 'green' : 'plain'}>{labelOf(status)}</StatusDot>,
  },
  {
    key: 'closed',
    title: 'Closed',
    cell: ({ closed_at, closed_by }) =>
      closed_at ? (
        <>
          <Moment at={closed_at} />
          {closed_by && ` by ${closed_by}`}
        </>
      ) : (
        '--'
      ),
  },
]

export default function Periods() {
  useLiveRefresh('payroll', payrollKey)
  const mayClose = useCan('payroll.audit')
  const mayDownload = useCan('payroll.details')
  const state = useTableState('payroll.periods')
  const query = useQuery(periodsQuery({ page: String(state.page), limit: String(state.limit) }))
  const action: Column<PayPeriod> = {
    key: 'close',
    title: 'Close',
    hidesHead: true,
    isRight: true,
    cell: (period) => period.status === 'open' && period.pay_date <= today() && <CloseButton period={period} />,
  }
  const files: Column<PayPeriod> = {
    key: 'files',
    title: 'Files',
    hidesHead: true,
    isRight: true,
    cell: ({ id, starts_on, ends_on, entries }) =>
      entries > 0 && <PeriodFiles id={id} name={formatDayRange(starts_on, ends_on)} />,
  }
  return (
    <>
      <PageHead
        title="Pay periods"
        actions={<ExportButton call={exportPeriods} total={query.data?.totalItems} />}
        isOneLine
      >
        While a period is open, fixes of its entries can be undone. Closing a period is permanent.
      </PageHead>
      <div className={styles.page}>
        <SectionCard isFlush>
          <DataTable
            label="Pay periods, newest first"
            query={query}
            columns={[...columns, ...(mayDownload ? [files] : []), ...(mayClose ? [action] : [])]}
            keyOf={({ id }) => id}
            state={state}
            isStacking
            failure="Couldn't load pay periods"
            empty={
              <EmptyState
                icon={IconCalendarStats}
                title="No pay periods yet"
                action={
                  <NextStep to="/worker/financial/settings" needs="payroll.settings">
                    Payroll settings
                  </NextStep>
                }
              >
                The first pay period is created with the first payroll entry. Set the start of payroll before that.
              </EmptyState>
            }
          />
        </SectionCard>
      </div>
    </>
  )
}
