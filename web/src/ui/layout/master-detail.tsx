import { Button } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { type CSSProperties, isValidElement, type ReactNode, useEffect, useRef } from 'react'
import { useRowNavigation } from '../table/row-navigation.ts'
import { Icon } from './icon.tsx'
import styles from './master-detail.module.css'

interface Props {
  /** Names the list and, on narrow screens, the back button: 'Businesses'. */
  listName: string
  list: ReactNode
  /** The selected record, with its id as the key; null when none is selected. */
  detail: ReactNode | null
  /** Shown when no record is selected. */
  placeholder?: ReactNode
  rail?: ReactNode
  onBack: () => void
  listWidth?: 280 | 340
  /** The panes fill the window and scroll separately, for conversations. */
  isFilling?: boolean
}

/**
 * List, detail and optional rail side by side. On narrow screens list and detail are separate pages; the selection is
 * in the URL, so Back works. Rows have `data-row`, and j and k move between them.
 */
export function MasterDetail(props: Props) {
  const { listName, list, detail, placeholder: nothing, rail, onBack, listWidth = 340, isFilling = false } = props
  const pane = useRef<HTMLElement>(null)
  useRowNavigation(pane)
  const hasDetail = detail !== null
  const record = isValidElement(detail) ? detail.key : null
  const place = useRef<HTMLDivElement>(null)
  // When a record is selected far down a long list, scroll up to its start.
  useEffect(() => {
    if (record !== null && place.current && place.current.getBoundingClientRect().top < 0)
      place.current.scrollIntoView({ block: 'start' })
  }, [record])
  return (
    <div
      className={styles.split}
      data-page-detail={hasDetail || undefined}
      data-fills={isFilling || undefined}
      data-rail={(rail && hasDetail) || undefined}
      style={{ '--list-w': `${listWidth}px` } as CSSProperties}
    >
      <section className={styles.list} aria-label={listName} ref={pane}>
        {list}
      </section>
      <div className={styles.detail} ref={place}>
        {hasDetail ? (
          <>
            <Button
              className={styles.back ?? ''}
              variant="subtle"
              color="gray"
              leftSection={<Icon of={IconChevronLeft} />}
              onClick={onBack}
            >
              {listName}
            </Button>
            {detail}
          </>
        ) : (
          nothing
        )}
      </div>
      {rail && hasDetail && <aside className={styles.rail}>{rail}</aside>}
    </div>
  )
}
