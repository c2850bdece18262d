import {
  checkEmails,
  deleteEmail,
  listEmails,
  resetEmails,
  updateEmail,
  uploadEmails,
} from '@limber/contract/businesses/emails/allowed-email.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { keepPreviousData, queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { businessKey, useChange } from '../business/business.api.ts'

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

/** Sends addresses a batch at a time and hands over what came of each. */
async function inBatches<Reply>({ addresses, tell }: Batches, send: (list: string) => Promise<Reply>) {
  const replies: Reply[] = []
  for (let from = 0; from < addresses.length; from += BATCH) {
    tell(from, addresses.length)
    replies.push(await send(addresses.slice(from, from + BATCH).join('\n')))
  }
  tell(addresses.length, addresses.length)
  return replies
}

async function upload(batches: Batches) {
  const business_id = batches.businessId
  const replies = await inBatches(batches, (list) => send(uploadEmails, { body: { business_id, list } }))
  const sum = { added: 0, skipped: 0 }
  for (const { added, skipped } of replies) {
    sum.added += added
    sum.skipped += skipped
  }
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
    upload({ businessId, addresses, tell: (done, total) => say({ done, total }) }).finally(() => say(null)),
  )
  return { send: mutateAsync, share }
}

/** Those of these addresses that are not on the list yet. */
export async function findNew(batches: Batches): Promise<string[]> {
  const business_id = batches.businessId
  const replies = await inBatches(batches, (list) => send(checkEmails, { body: { business_id, list } }))
  const known = new Set(replies.flatMap((reply) => reply.known))
  return batches.addresses.filter((address) => !known.has(address))
}
