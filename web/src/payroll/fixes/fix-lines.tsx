import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { Pager } from '#ui/table/pager.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { Difference, Dollars } from '../dollars.tsx'
import { entryName, sideWord } from '../words.ts'
import styles from './fix-dialog.module.css'
import type { FixLine } from './fix-line.ts'

const PAGE = 50

interface Props {
  lines: readonly FixLine[]
  /** Keys of the excluded lines. */
  left: ReadonlySet<string>
  onLeave: (left: ReadonlySet<string>) => void
  isLocked: boolean
}

function change(left: ReadonlySet<string>, lines: readonly FixLine[], isTaken: boolean): Set<string> {
  const next = new Set(left)
  for (const { key } of lines) {
    if (isTaken) next.delete(key)
    else next.add(key)
  }
  return next
}

export function FixLines({ lines, left, onLeave, isLocked }: Props) {
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(lines.length / PAGE))
  const shown = lines.slice((page - 1) * PAGE, page * PAGE)
  const taken = lines.length - left.size
  return (
    <>
      <PlainTable label="Adjustments" isFramed>
        <thead>
          <tr>
            <th className={styles.tick}>
              <Checkbox
                aria-label="Select all lines"
                checked={taken === lines.length}
                indeterminate={taken > 0 && taken < lines.length}
                disabled={isLocked}
                onChange={() => onLeave(change(left, lines, taken < lines.length))}
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
            <tr key={line.key} className={styles.line} data-left={left.has(line.key) || undefined}>
              <td className={styles.tick}>
                <Checkbox
                  aria-label={`Select ${entryName(line.payrollId)}, ${line.side}`}
                  checked={!left.has(line.key)}
                  disabled={isLocked}
                  onChange={() => onLeave(change(left, [line], left.has(line.key)))}
                />
              </td>
              <td className={styles.code}>{entryName(line.payrollId)}</td>
              <td>{line.earner}</td>
              <td className={styles.quiet}>
                {sideWord[line.side]}
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
