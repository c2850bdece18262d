import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { Pager } from '#ui/table/pager.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { Difference, Dollars } from '../dollars.tsx'
import { entryName, sideLabels } from '../labels.ts'
import styles from './fix-dialog.module.css'
import type { FixLine } from './fix-line.ts'

const PAGE = 50

interface Props {
  lines: readonly FixLine[]
  /** Keys of the excluded lines. */
  excluded: ReadonlySet<string>
  onExclude: (excluded: ReadonlySet<string>) => void
  isLocked: boolean
}

function change(excluded: ReadonlySet<string>, lines: readonly FixLine[], isIncluded: boolean): Set<string> {
  const next = new Set(excluded)
  for (const { key } of lines) {
    if (isIncluded) next.delete(key)
    else next.add(key)
  }
  return next
}

export function FixLines({ lines, excluded, onExclude, isLocked }: Props) {
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(lines.length / PAGE))
  const shown = lines.slice((page - 1) * PAGE, page * PAGE)
  const included = lines.length - excluded.size
  return (
    <>
      <PlainTable label="Adjustments" isFramed>
        <thead>
          <tr>
            <th className={styles.tick}>
              <Checkbox
                aria-label="Select all lines"
                checked={included === lines.length}
                indeterminate={included > 0 && included < lines.length}
                disabled={isLocked}
                onChange={() => onExclude(change(excluded, lines, included < lines.length))}
              />
            </th>
            <th scope="col">Payroll</th>
            <th scope="col">Earner</th>
            <th scope="col">Side</th>
            <th scope="col" className={figure}>
              Before
            </th>
            <th scope="col" className={figure}>
              After
            </th>
            <th scope="col" className={figure}>
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => (
            <tr key={line.key} className={styles.line} data-excluded={excluded.has(line.key) || undefined}>
              <td className={styles.tick}>
                <Checkbox
                  aria-label={`Select ${entryName(line.payrollId)}, ${line.side}`}
                  checked={!excluded.has(line.key)}
                  disabled={isLocked}
                  onChange={() => onExclude(change(excluded, [line], excluded.has(line.key)))}
                />
              </td>
              <td className={styles.code}>{entryName(line.payrollId)}</td>
              <td>{line.earner}</td>
              <td className={styles.quiet}>
                {sideLabels[line.side]}
                {line.isClosed && ', period closed'}
              </td>
              <td className={figure}>
                <Dollars of={line.before} />
              </td>
              <td className={figure}>
                <Dollars of={line.after} />
              </td>
              <td className={figure}>
                <Difference of={line.difference} />
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {pages > 1 && (
        <div className={styles.pager}>
          <Pager label="Adjustment pages" page={page} pages={pages} onPage={setPage} />
        </div>
      )}
    </>
  )
}
