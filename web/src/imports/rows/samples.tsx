import type { ImportDetail } from '@limber/contract/imports/import.ts'
import type { RowState } from '@limber/contract/imports/import-values.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { useQueries } from '@tanstack/react-query'
import { StatusDot } from '#ui/feedback/status.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { rowsQuery } from '../import.api.ts'
import { rowLabels, rowMeaning } from '../import-labels.ts'
import styles from './check-step.module.css'
import { Changes } from './import-rows.tsx'
import { RowSubject } from './row-subject.tsx'

const sampled = ['create', 'update', 'skipped', 'rejected'] as const

/** One row of every other result. */
export function Samples({ one, without }: { one: ImportDetail; without: RowState }) {
  const states = sampled.filter((state) => state !== without && one.counts[state] > 0)
  const rows = useQueries({
    queries: states.map((state) => rowsQuery(one.id, { state, limit: '1' })),
    combine: (results) => results.flatMap(({ data }) => data?.rows ?? []),
  })
  if (rows.length === 0) return null
  return (
    <SectionCard title="What the others look like" count="one row of each" isFlush>
      <ul className={styles.samples}>
        {rows.map((row) => (
          <li key={row.line}>
            <StatusDot meaning={rowMeaning[row.state]}>{rowLabels[row.state]}</StatusDot>
            <span className={styles.quiet}>Line {formatInteger(row.line)}</span>
            <span className={styles.sample}>
              <b>
                <RowSubject resource={one.resource} row={row} />
              </b>{' '}
              <Changes changes={row.changes} /> <span className={styles.quiet}>{row.detail ?? row.reason}</span>
            </span>
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}
