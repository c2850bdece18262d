import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { FixPreview } from '@limber/contract/payroll/audit/audit.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { Difference } from '../dollars.tsx'
import styles from './fix-dialog.module.css'

const PAGE = 50

/** Adjustment totals by earner and side. */
export function FixEarners({ preview: { data } }: { preview: UseQueryResult<FixPreview> }) {
  const [page, setPage] = useState(1)
  if (!data) return <TextSkeleton lines={4} />
  const pages = Math.max(1, Math.ceil(data.by_earner.length / PAGE))
  const at = Math.min(page, pages)
  return (
    <>
      <PlainTable label="By earner" isFramed>
        <thead>
          <tr>
            <th scope="col">Earner</th>
            <th scope="col" className={figure}>
              Employee lines
            </th>
            <th scope="col" className={figure}>
              Employee
            </th>
            <th scope="col" className={figure}>
              Employer lines
            </th>
            <th scope="col" className={figure}>
              Employer
            </th>
          </tr>
        </thead>
        <tbody>
          {data.by_earner.slice((at - 1) * PAGE, at * PAGE).map((earner) => (
            <tr key={earner.earner_id}>
              <td>{earner.name}</td>
              <td className={figure}>{formatInteger(earner.employee_lines)}</td>
              <td className={figure}>
                <Difference of={earner.employee_total} />
              </td>
              <td className={figure}>{formatInteger(earner.employer_lines)}</td>
              <td className={figure}>
                <Difference of={earner.employer_total} />
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {pages > 1 && (
        <div className={styles.pager}>
          <Pager label="Earner pages" page={at} pages={pages} onPage={setPage} />
        </div>
      )}
    </>
  )
}
