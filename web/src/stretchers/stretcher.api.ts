import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  activateStretcher,
  deactivateStretcher,
  finishTraining,
  listStretchers,
  onboardStretcher,
  promoteToStretcher,
  readStretcher,
  type StretcherDetail,
  updateStretcher,
} from '@limber/contract/stretchers/stretcher.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { useRecordChange } from '#platform/api/record-change.ts'
import { withFallbackMessage } from '#platform/api/with-fallback-message.ts'

/** Prefix of all stretcher queries. Live updates invalidate it. */
export const stretchersKey = ['stretchers']
const stretcherKey = (id: number) => [...stretchersKey, 'one', id]

type Filter = NonNullable<InputOf<typeof listStretchers>['query']>

export const stretchersQuery = (query: Filter) =>
  queryOptions({
    queryKey: [...stretchersKey, 'list', query],
    queryFn: ({ signal }) => send(listStretchers, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

export const stretcherQuery = (id: number) =>
  queryOptions({
    queryKey: stretcherKey(id),
    queryFn: ({ signal }) => send(readStretcher, { params: { id: String(id) } }, { signal }),
  })

const DEFAULT_ERROR = 'Failed to process request'

export function useCreate() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof onboardStretcher>['body']) =>
      withFallbackMessage(DEFAULT_ERROR, send(onboardStretcher, { body })),
    onSettled: () => cache.invalidateQueries({ queryKey: stretchersKey }),
  })
}

export function usePromote() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof promoteToStretcher>['body']) =>
      withFallbackMessage(DEFAULT_ERROR, send(promoteToStretcher, { body })),
    onSettled: () => cache.invalidateQueries({ queryKey: stretchersKey }),
  })
}

const useChange = <Input>(change: (input: Input) => Promise<StretcherDetail>) =>
  useRecordChange<typeof updateStretcher, Input>(change, ({ id }) => stretcherKey(id), stretchersKey)

const params = (id: number) => ({ id: String(id) })

export const useUpdate = (id: number) =>
  useChange((body: InputOf<typeof updateStretcher>['body']) => send(updateStretcher, { params: params(id), body }))
export const useDeactivate = (id: number) =>
  useChange(
    async (body: InputOf<typeof deactivateStretcher>['body']) =>
      (await send(deactivateStretcher, { params: params(id), body })).stretcher,
  )
export const useActivate = (id: number) =>
  useChange((body: InputOf<typeof activateStretcher>['body']) => send(activateStretcher, { params: params(id), body }))
export const useFinishTraining = (id: number) =>
  useChange((body: InputOf<typeof finishTraining>['body']) => send(finishTraining, { params: params(id), body }))
