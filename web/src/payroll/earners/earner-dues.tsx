import type { EarnerDue, EarnerReply } from '@limber/contract/payroll/earners/earner.ts'
import { dayText } from '#ui/format/day-text.ts'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { Dollars, dollarsText } from '../dollars.tsx'
import { correctionText } from '../labels.ts'
import styles from '../lists/lists.module.css'
import { EntryLink } from '../lists/record-links.tsx'

/** When a correction was settled, and what remains. */
function Money({ due: { amount, remaining, settlements } }: { due: EarnerDue }) {
  if (amount === 0 && settlements.length === 0) return 'Undone before the next pay run'
  return (
    <>
      {settlements.map(({ id, paid_on, amount: part }) => (
        <span key={id} className={styles.line}>
          {dollarsText(part, true)} in the pay run on {dayText(paid_on)}
        </span>
      ))}
      {remaining > 0 && <span className={styles.line}>{dollarsText(remaining)} will be paid in the next pay run</span>}
      {remaining < 0 && (
        <span className={styles.line}>{dollarsText(-remaining)} will be withheld from the next net pay</span>
      )}
    </>
  )
}

/** Corrections of an earner's pay and how they are settled. */
export function EarnerDues({ earner: { dues } }: { earner: EarnerReply }) {
  if (dues.length === 0) return null
  return (
    <SectionCard title="Settlements" isFlush>
      <PlainTable label="Settlements">
        <thead>
          <tr>
            <th scope="col">Correction</th>
            <th scope="col" className={figure}>
              Amount
            </th>
            <th scope="col">Settled</th>
          </tr>
        </thead>
        <tbody>
          {dues.map((due) => (
            <tr key={due.id}>
              <td>
                {correctionText(due)} {due.payroll_id !== null && <EntryLink id={due.payroll_id} />}
                <span className={styles.settlement}>{due.reason}</span>
              </td>
              <td className={figure}>{due.amount === 0 ? 'Undone' : <Dollars of={due.amount} isSigned />}</td>
              <td>
                <Money due={due} />
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </SectionCard>
  )
}
