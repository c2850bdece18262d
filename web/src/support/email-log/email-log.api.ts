import type { InputOf } from '@limber/contract/kit/call.ts'
import { listEmailLogs, revealEmail } from '@limber/contract/support/email-log/email-log.ts'
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'

export const emailLogsQuery = (query: NonNullable<InputOf<typeof listEmailLogs>['query']>) =>
  queryOptions({
    queryKey: ['support', 'email-logs', query],
    queryFn: ({ signal }) => send(listEmailLogs, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

/** The decrypted email is returned to the caller and never cached. */
export const useReveal = (id: number) =>
  useMutation({
    mutationFn: (body: InputOf<typeof revealEmail>['body']) => send(revealEmail, { params: { id: String(id) }, body }),
    gcTime: 0,
  })
