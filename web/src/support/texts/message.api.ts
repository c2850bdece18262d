import {
  listMessages,
  listUserMessages,
  type MessagePage,
  sendMessage,
} from '@limber/contract/support/texts/message.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import type { TextSearch } from './text-search.ts'

/** Prefix of all text message queries; the live topic `texts` refreshes them. */
export const textsKey = ['support', 'texts']

export interface Conversation extends MessagePage {
  /** The person or number of the conversation; null for all messages. */
  name: string | null
  number: string | null
  /** The account with this number, if there is one. */
  customerId: number | null
}

async function read({ user, number, at }: TextSearch, signal: AbortSignal): Promise<Conversation> {
  if (user > 0) {
    const page = await send(listUserMessages, { params: { id: String(user) }, query: { pageToken: at } }, { signal })
    return { ...page, number: page.phone, customerId: user }
  }
  const page = await send(listMessages, { query: { pageToken: at, number } }, { signal })
  const customer = number ? page.messages.find((message) => message.customer)?.customer : undefined
  return { ...page, number: number || null, name: customer?.name ?? null, customerId: customer?.id ?? null }
}

export const textsQuery = (search: TextSearch) =>
  queryOptions({
    queryKey: [...textsKey, search],
    queryFn: ({ signal }) => read(search, signal),
    placeholderData: keepPreviousData,
  })

export function useSendText() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: { to: string; body: string }) => send(sendMessage, { body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: textsKey }),
  })
}
