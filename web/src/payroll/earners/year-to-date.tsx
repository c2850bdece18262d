import type { EarnerReply, YearToDate as Figures } from '@limber/contract/payroll/earners/earner.ts'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { Dollars, dollarsText } from '../dollars.tsx'
import styles from './earners.module.css'

const rows = [
  { name: 'wages', label: 'Wages' },
  { name: 'withheld', label: 'Tax withheld' },
  { name: 'employer_tax', label: 'Employer tax' },
  { name: 'reimbursements', label: 'Mileage and expenses' },
] as const

// Both are numbers with four decimals, so the difference is rounded to that.
const own = (all: number, history: number) => Number((all - history).toFixed(4))

function WageBases({ bases }: { bases: Figures['wage_bases'] }) {
  if (bases.length === 0) return null
  return (
    <p className={styles.bases}>
      {bases
        .map(({ label, wage_base, left }) =>
          left > 0
            ? `${label}: ${dollarsText(left)} left of ${dollarsText(wage_base)}`
            : `${label}: limit of ${dollarsText(wage_base)} reached`,
        )
        .join(' · ')}
    </p>
  )
}

/** What an earner was paid this year, by Limber and elsewhere. */
export function YearToDate({ earner: { year_to_date } }: { earner: EarnerReply }) {
  const { history, year, wage_bases } = year_to_date
  const hasHistory = rows.some(({ name }) => history[name] > 0)
  return (
    <SectionCard title={`Year to date, ${year}`} isFlush foot={<WageBases bases={wage_bases} />}>
      <PlainTable label="Year to date">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col" className={figure}>
              Total
            </th>
            {hasHistory && (
              <>
                <th scope="col" className={figure}>
                  Paid by Limber
                </th>
                <th scope="col" className={figure}>
                  Paid elsewhere
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, label }) => (
            <tr key={name}>
              <th scope="row">{label}</th>
              <td className={figure}>
                <Dollars of={year_to_date[name]} />
              </td>
              {hasHistory && (
                <>
                  <td className={figure}>
                    <Dollars of={own(year_to_date[name], history[name])} />
                  </td>
                  <td className={figure}>
                    <Dollars of={history[name]} />
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </SectionCard>
  )
}
