import { type WageStatementDetail, wageBoxes, wageBoxLabels } from '@limber/contract/payroll/files/wage-statement.ts'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { TaxNotice } from '../audit/tax-notice.tsx'
import { Dollars } from '../dollars.tsx'
import { wageStatementQuery } from './wage-statement.api.ts'
import styles from './wage-statements.module.css'

type Steps = WageStatementDetail['steps']['box1']

/** The paychecks that make up a box. */
function BoxSteps({ label, total, steps }: { label: string; total: number; steps: Steps }) {
  return (
    <details className={styles.box}>
      <summary>
        <span>{label}</span>
        <Dollars of={total} />
      </summary>
      <PlainTable label={`Steps of ${label}`}>
        <thead>
          <tr>
            <th scope="col">Pay date</th>
            <th scope="col">Part</th>
            <th scope="col" className={figure}>
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps never change places
            <tr key={place}>
              <td>{step.pay_date ? dayText(step.pay_date) : '--'}</td>
              <td>{step.label}</td>
              <td className={figure}>
                <Dollars of={step.amount} />
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </details>
  )
}

function Statement({ detail: { statement, steps } }: { detail: WageStatementDetail }) {
  return (
    <div className={styles.statement}>
      {statement.difference !== 0 && (
        <p className={styles.warning}>
          Recorded taxes differ from the calculation by <Dollars of={statement.difference} isSigned />. The difference
          is part of box 2. Run the tax audit before you file.
        </p>
      )}
      {statement.wages_elsewhere !== 0 && (
        <p className={styles.note}>
          <Dollars of={statement.wages_elsewhere} /> paid elsewhere this year is not included, but counts toward the
          Social Security limit.
        </p>
      )}
      {wageBoxes.map((box) => (
        <BoxSteps key={box} label={wageBoxLabels[box]} total={statement[box]} steps={steps[box]} />
      ))}
      <TaxNotice />
    </div>
  )
}

interface Props {
  earner: number
  year: number
  onClose: () => void
}

/** The W-2 figures of one earner, with the steps of each box. */
export default function WageStatementDialog({ earner, year, onClose }: Props) {
  const query = useQuery(wageStatementQuery(earner, year))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`W-2 preview ${year}`}
      context={query.data?.statement.earner_name}
      size={640}
    >
      <QueryView query={query} failure="Couldn't load the W-2 figures">
        {(detail) => <Statement detail={detail} />}
      </QueryView>
    </Dialog>
  )
}
