import type { ReactNode } from 'react'
import { useTitle } from '#platform/routing/title.ts'
import styles from './page-head.module.css'

interface Props {
  title: string
  /** One line of context below the title. */
  children?: ReactNode
  /** Filters for the whole page, then the primary action. */
  actions?: ReactNode
  /** Keeps the actions next to the title on phones, if there is room. */
  isOneLine?: boolean
}

/** The header of a page: title, context, actions. Also sets the title of the browser tab. */
export function PageHead({ title, children, actions, isOneLine = false }: Props) {
  useTitle(title)
  return (
    <div className={styles.head} data-one-line={isOneLine || undefined}>
      <div className={styles.text}>
        <h1 className={styles.title}>{title}</h1>
        {children && <p className={styles.context}>{children}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
