import type { ReactNode } from 'react'
import { useTitle } from '#platform/routing/title.ts'
import styles from './page-head.module.css'

interface Props {
  title: string
  /** One line of context, with the state of the data. */
  children?: ReactNode
  /** Filters that rule the whole page, then the primary action, last. */
  actions?: ReactNode
  /** On the phone the actions stay beside the title: for one short button. */
  isOneLine?: boolean
}

/** The head of a page: title, one line of context, actions at the right. Also names the browser's tab. */
export function PageHead({ title, children, actions, isOneLine = false }: Props) {
  useTitle(title)
  return (
    <div className={styles.head} data-one-line={isOneLine || undefined}>
      <div className={styles.words}>
        <h1 className={styles.title}>{title}</h1>
        {children && <p className={styles.context}>{children}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
