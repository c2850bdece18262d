import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  listNotifications,
  type Notification,
  type NotificationDraft,
  type NotificationList,
  previewNotification,
  readNotification,
  readNotificationChoices,
  type SendNotification,
  sendNotification,
  undoNotification,
} from '@limber/contract/support/notifications/notification.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { now } from '#platform/clock.ts'

/** Prefix of all notification queries; the live topic `notifications` refreshes them. */
export const notificationsKey = ['support', 'notifications']
const oneKey = (id: number) => [...notificationsKey, 'one', id]

const SECOND = 1_000
const SOON = 30 * SECOND

/** Sending, or about to: no live message reports deliveries, so these are polled. */
const isInProgress = ({ status, sendAt }: Notification) =>
  status === 'sending' || (status === 'scheduled' && Date.parse(sendAt) - now().getTime() < SOON)

export const notificationsQuery = (query: NonNullable<InputOf<typeof listNotifications>['query']>) =>
  queryOptions({
    queryKey: [...notificationsKey, 'list', query],
    queryFn: ({ signal }) => send(listNotifications, { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      (state.data as NotificationList | undefined)?.data.some(isInProgress) ? 2 * SECOND : false,
  })

export const notificationQuery = (id: number) =>
  queryOptions({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => send(readNotification, { params: { id: String(id) } }, { signal }),
    refetchInterval: ({ state }) => (state.data && isInProgress(state.data as Notification) ? SECOND : false),
  })

export const choicesQuery = queryOptions({
  queryKey: [...notificationsKey, 'choices'],
  queryFn: ({ signal }) => send(readNotificationChoices, {}, { signal }),
})

export const previewQuery = (body: NotificationDraft) =>
  queryOptions({
    queryKey: [...notificationsKey, 'preview', body],
    queryFn: ({ signal }) => send(previewNotification, { body }, { signal }),
    placeholderData: keepPreviousData,
  })

export function useSendNotification() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: SendNotification) => send(sendNotification, { body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: notificationsKey }),
  })
}

export function useUndoNotification() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (input: InputOf<typeof undoNotification>) => send(undoNotification, input),
    // Too late, or someone else was faster: refresh either way.
    onSettled: () => cache.invalidateQueries({ queryKey: notificationsKey }),
  })
}
