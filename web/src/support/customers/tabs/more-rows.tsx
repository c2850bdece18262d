import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import styles from './user-tabs.module.css'

interface Props {
  list: { hasMore: boolean; isReading: boolean; failed: UseQueryResult | undefined; more: () => void }
  /** What failed, as the specification words it. */
  failure: string
}

/** The way to the next page of a list that grows downwards, or why it did not come; the rows above stay. */
export function MoreRows({ list: { hasMore, isReading, failed, more }, failure }: Props) {
  if (failed) {
    const { error, refetch, isFetching } = failed
    return <FailureView error={error} title={failure} onRetry={() => void refetch()} isRetrying={isFetching} />
  }
  if (!hasMore) return null
  return (
    <div className={styles.more}>
      <Button variant="default" loading={isReading} onClick={more}>
        Show more
      </Button>
    </div>
  )
}
