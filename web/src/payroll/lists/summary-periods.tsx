import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { PayrollSummary } from '@limber/contract/payroll/lists/summary.ts'
import { VisuallyHidden } from '@mantine/core'
import { IconCalendarStats } from '@tabler/icons-react'
import { NextStep } from '#platform/routing/next-step.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { FigureLink } from '#ui/figures/figure-link.tsx'
import type { OpenFigure } from '#ui/figures/use-figure.ts'
import { dayText } from '#ui/format/day-text.ts'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { Dollars } from '../dollars.tsx'
import { PeriodLink } from './record-links.tsx'
import styles from './summary-periods.module.css'

type Period = PayrollSummary['periods'][number]

/** A bar relative to the largest period: earnings, and the taxes within them. */
function Bar({ period, greatest }: { period: Period; greatest: number }) {
  const share = (value: number) => `${greatest > 0 ? (value / greatest) * 100 : 0}%`
  return (
    <span className={styles.track} aria-hidden>
      <span className={styles.bar} style={{ width: share(period.earnings) }} />
      <span className={styles.taxes} style={{ width: share(Math.min(period.taxes, period.earnings)) }} />
    </span>
  )
}

interface Props {
  periods: readonly Period[]
  onOpen: OpenFigure['onOpen']
}

export function SummaryPeriods({ periods, onOpen }: Props) {
  const greatest = Math.max(0, ...periods.map(({ earnings }) => earnings))
  return (
    <SectionCard
      title="Recent pay periods"
      isFlush
      beside={
        <span className={styles.legend}>
          <span data-of="earnings">earnings</span>
          <span data-of="taxes">taxes</span>
        </span>
      }
    >
      {periods.length === 0 ? (
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
      ) : (
        <PlainTable label="Recent pay periods">
          <thead>
            <tr>
              <th scope="col">Pay period</th>
              <th scope="col">Pay date</th>
              <th scope="col" className={styles.wide}>
                <VisuallyHidden>Share</VisuallyHidden>
              </th>
              <th scope="col" className={figure}>
                Entries
              </th>
              <th scope="col" className={figure}>
                Earnings
              </th>
              <th scope="col" className={figure}>
                Taxes
              </th>
              <th scope="col">Status</th>
            </tr>
          </thead>
          <tbody>
            {periods.map((period) => (
              <tr key={period.id}>
                <td className={styles.name}>
                  <PeriodLink id={period.id} from={period.startsOn} to={period.endsOn} />
                </td>
                <td>{dayText(period.payDate)}</td>
                <td>
                  <Bar period={period} greatest={greatest} />
                </td>
                <td className={figure}>{formatInteger(period.entries)}</td>
                <td className={figure}>
                  <FigureLink label="Earnings" onOpen={() => onOpen('periodEarnings', period.id)}>
                    <Dollars of={period.earnings} />
                  </FigureLink>
                </td>
                <td className={figure}>
                  <FigureLink label="Taxes" onOpen={() => onOpen('periodTaxes', period.id)}>
                    <Dollars of={period.taxes} />
                  </FigureLink>
                </td>
                <td>
                  <StatusDot meaning={period.isClosed ? 'plain' : 'green'}>
                    {period.isClosed ? 'Closed' : 'Open'}
                  </StatusDot>
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </SectionCard>
  )
}
