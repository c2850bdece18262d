import { Button } from '@mantine/core'
import styles from './user-tabs.module.css'

interface Props {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
}

/** The next page of a list that grows downwards. */
export function MoreButton({ query }: Props) {
  if (!query.hasNextPage) return null
  return (
    <div className={styles.more}>
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        Show more
      </Button>
    </div>
  )
}
