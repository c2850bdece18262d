import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import styles from './user-tabs.module.css'

interface Props {
  list: { hasMore: boolean; isLoading: boolean; failed: UseQueryResult | undefined; more: () => void }
  /** The exact error text of the specification. */
  failure: string
}

/** A button for the next page, or the error; the rows above stay. */
export function MoreRows({ list: { hasMore, isLoading, failed, more }, failure }: Props) {
  if (failed) {
    const { error, refetch, isFetching } = failed
    return <FailureView error={error} title={failure} onRetry={() => void refetch()} isRetrying={isFetching} />
  }
  if (!hasMore) return null
  return (
    <div className={styles.more}>
      <Button variant="default" loading={isLoading} onClick={more}>
        Show more
      </Button>
    </div>
  )
}
