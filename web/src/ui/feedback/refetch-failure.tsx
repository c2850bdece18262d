import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { Banner } from './banner.tsx'
import styles from './refetch-failure.module.css'

interface Props {
  query: UseQueryResult<unknown>
  /** What failed, in the specification's words, if the error does not say so. */
  failure?: string | undefined
}

/** A banner above loaded data whose refetch failed. */
export function RefetchFailure({ query, failure }: Props) {
  const [dismissed, setDismissed] = useState(0)
  if (!query.isRefetchError || query.errorUpdatedAt === dismissed) return null
  const retry = (
    <Button variant="default" size="compact-sm" loading={query.isFetching} onClick={() => void query.refetch()}>
      Retry
    </Button>
  )
  return (
    <div className={styles.holder}>
      <Banner kind="red" action={retry} onDismiss={() => setDismissed(query.errorUpdatedAt)}>
        {failure && <b>{failure.endsWith('.') ? failure : `${failure}:`} </b>}
        {messageOf(query.error)} The data shown may be out of date.
      </Banner>
    </div>
  )
}
