import type { ReactNode } from 'react'
import styles from './detail-pane.module.css'

/** One record next to its list: header, banners, cards. */
export function DetailPane({ isTight, children }: { isTight?: boolean; children: ReactNode }) {
  return (
    <div className={styles.pane} data-tight={isTight || undefined}>
      {children}
    </div>
  )
}

interface HeadProps {
  title: ReactNode
  badges?: ReactNode
  /** Muted text below the title. */
  sub?: ReactNode
  actions?: ReactNode
}

/** The header of a record: title, status and actions. Without `sub`, everything is on one line. */
export function DetailHead({ title, badges, sub, actions }: HeadProps) {
  if (sub === undefined)
    return (
      <div className={styles.head} data-level>
        <h2 className={styles.title}>{title}</h2>
        {badges}
        {actions}
      </div>
    )
  return (
    <div className={styles.head}>
      <div className={styles.who}>
        <h2 className={styles.title}>
          {title}
          {badges}
        </h2>
        <p className={styles.sub}>{sub}</p>
      </div>
      {actions}
    </div>
  )
}

/** The buttons of a header. `isStretched` puts them on their own line on phones. */
export function DetailActions({ isStretched, children }: { isStretched?: boolean; children: ReactNode }) {
  return (
    <div className={styles.actions} data-stretched={isStretched || undefined}>
      {children}
    </div>
  )
}

interface ColumnsProps {
  /** `even`: equal height; `roomy`: side by side only on wide screens; `aside`: the second is narrow. */
  kind?: 'even' | 'roomy' | 'aside'
  children: ReactNode
}

/** Two cards side by side if there is room. */
export function DetailColumns({ kind, children }: ColumnsProps) {
  return (
    <div className={styles.columns} data-kind={kind}>
      {children}
    </div>
  )
}
