import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { AuditResult } from '@limber/contract/payroll/audit/audit.ts'
import { IconUsers } from '@tabler/icons-react'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import type { ChangeSearch, TaxAuditSearch } from '../audit/tax-audit-search.ts'
import { Difference, Dollars } from '../dollars.tsx'
import { labelOf } from '../labels.ts'
import styles from './earner-summary.module.css'

const PAGE = 10

interface Props {
  result: AuditResult
  search: TaxAuditSearch
  onChange: ChangeSearch
}

type Summary = AuditResult['earner_summary'][string]
const size = ({ employee_total_discrepancy, employer_total_discrepancy }: Summary) =>
  Math.abs(employee_total_discrepancy) + Math.abs(employer_total_discrepancy)

/** Totals by earner, largest discrepancy first. Selecting an earner filters the discrepancies above. */
export function EarnerSummary({ result, search, onChange }: Props) {
  const earners = Object.entries(result.earner_summary).sort(
    ([, a], [, b]) => size(b) - size(a) || (a.name ?? '').localeCompare(b.name ?? ''),
  )
  const pages = Math.max(1, Math.ceil(earners.length / PAGE))
  const at = Math.min(search.earners, pages)
  const shown = earners.slice((at - 1) * PAGE, at * PAGE)
  const select = (id: number) =>
    onChange({ earner: search.earner === id ? 0 : id, entry: 0, ...({ page: undefined } as object) })
  return (
    <SectionCard
      title="Earner summary"
      count={pluralize(earners.length, 'earner')}
      isFlush
      foot={
        pages > 1 && (
          <span className={styles.foot}>
            <Pager label="Earner pages" page={at} pages={pages} onPage={(next) => onChange({ earners: next })} />
          </span>
        )
      }
    >
      {earners.length === 0 ? (
        <EmptyState icon={IconUsers} title="No one was paid in this period">
          Select another date range.
        </EmptyState>
      ) : (
        <PlainTable label="Earner summary">
          <thead>
            <tr>
              <th scope="col">Earner</th>
              <th scope="col">Filing status</th>
              <th scope="col" className={figure}>
                Entries
              </th>
              <th scope="col" className={figure}>
                Employee discrepancy
              </th>
              <th scope="col" className={figure}>
                Employer discrepancy
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(([id, earner]) => (
              <tr key={id} className={styles.row} data-on={search.earner === Number(id) || undefined}>
                <td>
                  <button
                    type="button"
                    className={styles.name}
                    aria-pressed={search.earner === Number(id)}
                    onClick={() => select(Number(id))}
                  >
                    {earner.name ?? `Earner ${id}`}
                  </button>
                </td>
                <td className={styles.quiet}>{labelOf(earner.filing_status)}</td>
                <td className={figure}>{formatInteger(earner.entries)}</td>
                <td className={figure}>
                  <Difference of={earner.employee_total_discrepancy} />
                </td>
                <td className={figure}>
                  <Difference of={earner.employer_total_discrepancy} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td>All earners</td>
              <td />
              <td className={figure}>{formatInteger(result.total_entries_checked)}</td>
              <td className={figure}>
                <Dollars of={result.total_employee_discrepancy} isSigned />
              </td>
              <td className={figure}>
                <Dollars of={result.total_employer_discrepancy} isSigned />
              </td>
            </tr>
          </tfoot>
        </PlainTable>
      )}
    </SectionCard>
  )
}
