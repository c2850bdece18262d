import {
  checkEmails,
  deleteEmail,
  listEmails,
  resetEmails,
  type UploadOutcome,
  updateEmail,
  uploadEmails,
} from '@limber/contract/businesses/allowed-email.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { keepPreviousData, queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api.ts'
import { businessKey, useChange } from './business.api.ts'

/** How many addresses one window of the list holds. */
export const EMAIL_PAGE = 100
/** How many addresses go up at once: enough to be quick, few enough for a bar that moves. */
const BATCH = 10_000

export const emailPageQuery = (businessId: number, search: string, page: number) =>
  queryOptions({
    queryKey: [...businessKey(businessId), 'emails', search, page],
    queryFn: ({ signal }) =>
      send(listEmails, { body: { business_id: businessId, search, page, limit: EMAIL_PAGE } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const useUpdateEmail = () =>
  useChange((body: InputOf<typeof updateEmail>['body']) => send(updateEmail, { body }))
export const useDeleteEmail = () =>
  useChange((body: InputOf<typeof deleteEmail>['body']) => send(deleteEmail, { body }))
export const useResetEmails = () =>
  useChange((body: InputOf<typeof resetEmails>['body']) => send(resetEmails, { body }))

export type Tell = (done: number, total: number) => void

interface Batches {
  businessId: number
  addresses: readonly string[]
  tell: Tell
}

/** Sends addresses a batch at a time and adds up what became of them. */
async function inBatches(call: typeof uploadEmails | typeof checkEmails, { businessId, addresses, tell }: Batches) {
  const sum: UploadOutcome = { added: 0, skipped: 0, invalid: 0, invalid_lines: [] }
  for (let from = 0; from < addresses.length; from += BATCH) {
    tell(from, addresses.length)
    const list = addresses.slice(from, from + BATCH).join('\n')
    const { added, skipped, invalid } = await send(call, { body: { business_id: businessId, list } })
    sum.added += added
    sum.skipped += skipped
    sum.invalid += invalid
  }
  tell(addresses.length, addresses.length)
  return sum
}

export interface Share {
  done: number
  total: number
}

/** An upload goes on when its screen is left; whoever comes back finds how far it is. */
export function useUploadEmails(businessId: number) {
  const cache = useQueryClient()
  const queryKey = ['upload', businessId]
  const { data: share } = useQuery<Share | null>({ queryKey, queryFn: skipToken, initialData: null })
  const say = (how: Share | null) => void cache.setQueryData(queryKey, how)
  const { mutateAsync } = useChange((addresses: readonly string[]) =>
    inBatches(uploadEmails, { businessId, addresses, tell: (done, total) => say({ done, total }) }).finally(() =>
      say(null),
    ),
  )
  return { send: mutateAsync, share }
}

/** How many of these addresses are not on the list yet. */
export const countNew = async (batches: Batches) => (await inBatches(checkEmails, batches)).added
