import type { ReactNode } from 'react'
import styles from './master-summary.module.css'
import { SectionCard } from './section-card.tsx'

interface Props {
  /** 'Select a business'. */
  title: string
  /** What a selected record shows. */
  hint?: string
  children?: ReactNode
}

/** Beside a list without a selected record: what the records need, and how they are doing. */
export function MasterSummary({ title, hint, children }: Props) {
  return (
    <div className={styles.pane}>
      <p className={styles.hint}>
        <strong>{title}</strong>
        {hint && <span> {hint}</span>}
      </p>
      <div className={styles.cards}>{children}</div>
    </div>
  )
}

export interface SummaryRow {
  id: string | number
  /** A link that selects the record, or what is counted. */
  name: ReactNode
  note?: ReactNode
  value?: ReactNode
}

interface ListProps {
  title: string
  count?: ReactNode
  rows: readonly SummaryRow[]
  /** Said when there are no rows. */
  none: string
}

/** Some records with what matters about them. */
export function SummaryList({ title, count, rows, none }: ListProps) {
  return (
    <SectionCard title={title} isFlush {...(count !== undefined && { count })}>
      {rows.length === 0 ? (
        <p className={styles.none}>{none}</p>
      ) : (
        <ul className={styles.rows} aria-label={title}>
          {rows.map(({ id, name, note, value }) => (
            <li key={id}>
              <span className={styles.name}>{name}</span>
              {value !== undefined && <span className={styles.value}>{value}</span>}
              {note && <span className={styles.note}>{note}</span>}
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
  )
}
