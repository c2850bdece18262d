import { Button } from '@mantine/core'
import styles from './user-tabs.module.css'

/** The next page of a list that grows downwards. */
export function MoreButton({ list }: { list: { hasMore: boolean; isReading: boolean; more: () => void } }) {
  if (!list.hasMore) return null
  return (
    <div className={styles.more}>
      <Button variant="default" loading={list.isReading} onClick={list.more}>
        Show more
      </Button>
    </div>
  )
}
