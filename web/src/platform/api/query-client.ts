import { QueryClient } from '@tanstack/react-query'
import { CallFailure } from './call-failure.ts'

const retryTransient = (most: number) => (count: number, error: Error) =>
  error instanceof CallFailure && error.isTransient && count < most

/** One cache per tab. Refusals are final; transient failures are retried, mutations with the same idempotency key. */
export function makeQueryClient(): QueryClient {
  const retryDelay = (count: number) => Math.min(400 * 2 ** count, 5_000)
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 15_000, retry: retryTransient(2), retryDelay, networkMode: 'always' },
      mutations: { retry: retryTransient(1), retryDelay, networkMode: 'always' },
    },
  })
}
