import { Button } from '@mantine/core'
import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react'
import { messageOf } from '#platform/api/api.ts'
import { CallFailure } from '#platform/api/call-failure.ts'
import { Icon } from '../layout/icon.tsx'
import { EmptyState } from './empty-state.tsx'

interface Props {
  error: unknown
  /** What failed, such as 'Failed to fetch dashboard data'. */
  title?: string
  onRetry?: (() => void) | undefined
  isRetrying?: boolean
}

/** Shown instead of content that failed to load, with the server's message and, if it can help, Retry. */
export function FailureView({ error, title = "Couldn't load this", onRetry, isRetrying = false }: Props) {
  const isFinal = error instanceof CallFailure && error.isUnknownRecord
  const retry = onRetry && !isFinal && (
    <Button variant="default" leftSection={<Icon of={IconRefresh} />} onClick={onRetry} loading={isRetrying}>
      Retry
    </Button>
  )
  return (
    <EmptyState icon={IconPlugConnectedX} title={title} isAlert action={retry}>
      {messageOf(error)}
    </EmptyState>
  )
}
