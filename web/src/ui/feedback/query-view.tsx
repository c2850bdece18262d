import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FailureView } from './failure-view.tsx'
import { RefetchFailure } from './refetch-failure.tsx'
import { ListSkeleton } from './skeleton.tsx'

interface Props<T> {
  query: UseQueryResult<T>
  children: (data: NonNullable<T>) => ReactNode
  /** A skeleton in the shape of the content. */
  loading?: ReactNode
  isEmpty?: (data: NonNullable<T>) => boolean
  empty?: ReactNode
  /** What failed, in the specification's words. */
  failure?: string
}

/** The loading, failed, empty and loaded states of a query. Loaded data stays visible when a refetch fails. */
export function QueryView<T>({ query, children, loading, isEmpty, empty = null, failure }: Props<T>) {
  const { data } = query
  if (data !== undefined && data !== null) {
    return (
      <>
        <RefetchFailure query={query} failure={failure || undefined} />
        {isEmpty?.(data) ? empty : children(data)}
      </>
    )
  }
  if (query.isError) {
    return (
      <FailureView
        error={query.error}
        {...(failure ? { title: failure } : {})}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
      />
    )
  }
  return loading ?? <ListSkeleton />
}
