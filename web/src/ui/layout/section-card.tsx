import { type ReactNode, useId } from 'react'
import { cx } from './class-names.ts'
import styles from './section-card.module.css'

interface Props {
  title?: string
  /** A muted number next to the title. */
  count?: ReactNode
  /** Between title and actions: a legend, a badge. */
  beside?: ReactNode
  actions?: ReactNode
  foot?: ReactNode
  /** The content has no padding, for tables and lists. */
  isFlush?: boolean
  hasLine?: boolean
  children: ReactNode
  className?: string
}

/** A bordered card with an optional header. */
export function SectionCard({ title, count, beside, actions, foot, isFlush, hasLine, children, className }: Props) {
  const id = useId()
  const hasHead = title !== undefined || actions !== undefined
  return (
    <section className={cx(styles.card, className)} {...(title ? { 'aria-labelledby': id } : {})}>
      {hasHead && (
        <div className={cx(styles.head, hasLine && styles.line)}>
          {title && (
            <h2 className={styles.title} id={id}>
              {title}
            </h2>
          )}
          {count !== undefined && <span className={styles.count}>{count}</span>}
          {beside}
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
      <div className={cx(styles.body, isFlush && styles.flush, (!hasHead || hasLine) && styles.padded)}>{children}</div>
      {foot && <div className={styles.foot}>{foot}</div>}
    </section>
  )
}
