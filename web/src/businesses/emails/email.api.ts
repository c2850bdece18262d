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

/** Addresses per page of the list. */
export const EMAIL_PAGE = 100
/** Addresses per upload batch: large enough to be fast, small enough for a moving progress bar. */
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

export type ProgressListener = (done: number, total: number) => void

interface Batches {
  businessId: number
  addresses: readonly string[]
  onProgress: ProgressListener
}

/** Sends addresses in batches and reports the progress. */
async function sendInBatches<Reply>({ addresses, onProgress }: Batches, send: (list: string) => Promise<Reply>) {
  const replies: Reply[] = []
  for (let from = 0; from < addresses.length; from += BATCH) {
    onProgress(from, addresses.length)
    replies.push(await send(addresses.slice(from, from + BATCH).join('\n')))
  }
  onProgress(addresses.length, addresses.length)
  return replies
}

async function upload(batches: Batches) {
  const business_id = batches.businessId
  const replies = await sendInBatches(batches, (list) => send(uploadEmails, { body: { business_id, list } }))
  const sum = { added: 0, skipped: 0 }
  for (const { added, skipped } of replies) {
    sum.added += added
    sum.skipped += skipped
  }
  return sum
}

export interface UploadProgress {
  done: number
  total: number
}

/** An upload continues after leaving the screen. Returning shows its progress. */
export function useUploadEmails(businessId: number) {
  const cache = useQueryClient()
  const queryKey = ['upload', businessId]
  const { data: share } = useQuery<UploadProgress | null>({ queryKey, queryFn: skipToken, initialData: null })
  const say = (how: UploadProgress | null) => void cache.setQueryData(queryKey, how)
  const { mutateAsync } = useChange((addresses: readonly string[]) =>
    upload({ businessId, addresses, onProgress: (done, total) => say({ done, total }) }).finally(() => say(null)),
  )
  return { send: mutateAsync, share }
}

/** The given addresses that are not on the list yet. */
export async function findNew(batches: Batches): Promise<string[]> {
  const business_id = batches.businessId
  const replies = await sendInBatches(batches, (list) => send(checkEmails, { body: { business_id, list } }))
  const known = new Set(replies.flatMap((reply) => reply.known))
  return batches.addresses.filter((address) => !known.has(address))
}
