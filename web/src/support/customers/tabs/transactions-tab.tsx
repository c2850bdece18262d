import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { exportUserTransactions, type UserTransaction } from '@limber/contract/support/customers/user.ts'
import { IconReceipt } from '@tabler/icons-react'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Money } from '#ui/format/money.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { humanize, paymentLabels, paymentMeaning } from '../labels.ts'
import { userTransactionsQuery } from '../user.api.ts'
import { MoreRows } from './more-rows.tsx'
import { usePagedList } from './use-paged-list.ts'

const FAILURE = 'Failed to fetch user transactions'

/** Payments and refunds, newest first. */
export default function TransactionsTab({ id }: { id: number }) {
  const list = usePagedList<UserTransaction>((page) => userTransactionsQuery(id, page))
  return (
    <QueryView
      query={list.first}
      failure={FAILURE}
      isEmpty={(rows) => rows.length === 0}
      empty={
        <EmptyState icon={IconReceipt} title="No transactions">
          This customer's payments and refunds will appear here.
        </EmptyState>
      }
    >
      {() => (
        <>
          <SectionCard
            title="Payments and refunds"
            actions={<ExportButton call={exportUserTransactions} params={{ id: String(id) }} />}
            isFlush
          >
            <PlainTable label="Transactions">
              <thead>
                <tr>
                  <th scope="col">Date</th>
                  <th scope="col">Type</th>
                  <th scope="col" className={figure}>
                    Amount
                  </th>
                  <th scope="col" className={figure}>
                    Credits
                  </th>
                  <th scope="col">Status</th>
                </tr>
              </thead>
              <tbody>
                {list.rows.map((one) => (
                  <tr key={one.id}>
                    <td>
                      <Moment at={one.createdAt} />
                    </td>
                    <td>{paymentLabels[one.transactionType]}</td>
                    <td className={figure}>
                      <Money amount={one.amount} />
                    </td>
                    <td className={figure}>{formatInteger(one.credits)}</td>
                    <td>
                      <StatusDot meaning={paymentMeaning[one.status]}>{humanize(one.status)}</StatusDot>
                    </td>
                  </tr>
                ))}
              </tbody>
            </PlainTable>
          </SectionCard>
          <MoreRows list={list} failure={FAILURE} />
        </>
      )}
    </QueryView>
  )
}
