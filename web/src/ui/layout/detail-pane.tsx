import type { ReactNode } from 'react'
import styles from './detail-pane.module.css'

/** One record beside its list: head, banners, cards. */
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
  /** What stands muted below the title. */
  sub?: ReactNode
  actions?: ReactNode
}

/** Whose record it is, in what state, and what can be done with it. Without a line below, everything stands level. */
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

/** The buttons of a head; `isStretched` gives them a line of their own on the phone. */
export function DetailActions({ isStretched, children }: { isStretched?: boolean; children: ReactNode }) {
  return (
    <div className={styles.actions} data-stretched={isStretched || undefined}>
      {children}
    </div>
  )
}

interface ColumnsProps {
  /** `even`: both as high as the higher one; `roomy`: beside each other only with much room; `aside`: the second is narrow. */
  kind?: 'even' | 'roomy' | 'aside'
  children: ReactNode
}

/** Two cards beside each other where there is room. */
export function DetailColumns({ kind, children }: ColumnsProps) {
  return (
    <div className={styles.columns} data-kind={kind}>
      {children}
    </div>
  )
}
