import { Button } from '@mantine/core'
import type { Icon as Drawn } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Icon } from '../layout/icon.tsx'
import type { Meaning } from './status.tsx'
import styles from './work-list.module.css'

export interface WorkItem {
  id: string | number
  icon: Drawn
  meaning?: Meaning
  /** What needs a decision, as a sentence. */
  title: ReactNode
  /** Why, or what follows from it. */
  why?: ReactNode
  when?: ReactNode
  actions: ReactNode
}

interface Props {
  label: string
  items: readonly WorkItem[]
  /** How many are shown at first. */
  limit?: number
}

/** What needs a person, most urgent first: each item says what and why, and has its actions. */
export function WorkList({ label, items, limit = 5 }: Props) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? items : items.slice(0, limit)
  return (
    <>
      <ul className={styles.list} aria-label={label}>
        {shown.map(({ id, icon, meaning = 'plain', title, why, when, actions }) => (
          <li key={id} className={styles.item}>
            <span className={styles.icon} data-meaning={meaning}>
              <Icon of={icon} />
            </span>
            <div className={styles.text}>
              <p className={styles.title}>{title}</p>
              {why && <div className={styles.why}>{why}</div>}
            </div>
            {when && <span className={styles.when}>{when}</span>}
            <span className={styles.actions}>{actions}</span>
          </li>
        ))}
      </ul>
      {items.length > limit && (
        <Button className={styles.more ?? ''} size="xs" variant="subtle" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${items.length}`}
        </Button>
      )}
    </>
  )
}
