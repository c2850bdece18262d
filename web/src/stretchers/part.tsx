import type { ReactNode } from 'react'
import styles from './stretcher-dialog.module.css'

/** A titled part of the panel of a stretcher. */
export function Part({ title, beside, children }: { title: string; beside?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <div className={styles.partHead}>
        <h3 className={styles.partTitle}>{title}</h3>
        {beside}
      </div>
      {children}
    </section>
  )
}
