import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  createAbsence,
  endAbsence,
  readAssignment,
  saveRoundRobin,
  setTakesNew,
  setTakesOnReply,
} from '@limber/contract/support/assignment/assignment.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'

/** The live topics `assignment` and `tickets` refresh it. */
export const assignmentKey = ['support', 'assignment']

export const assignmentQuery = queryOptions({
  queryKey: assignmentKey,
  queryFn: ({ signal }) => send(readAssignment, {}, { signal }),
})

function useChange<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => cache.invalidateQueries({ queryKey: assignmentKey }),
  })
}

export const useTakesNew = () => useChange((takesNew: boolean) => send(setTakesNew, { body: { takesNew } }))

export const useTakesOnReply = () =>
  useChange((takesOnReply: boolean) => send(setTakesOnReply, { body: { takesOnReply } }))

export const useSaveRoundRobin = () =>
  useChange((body: InputOf<typeof saveRoundRobin>['body']) => send(saveRoundRobin, { body }))

export type AbsenceInput = InputOf<typeof createAbsence>['body']

export const useCreateAbsence = () => useChange((body: AbsenceInput) => send(createAbsence, { body }))

export const useEndAbsence = () => useChange((id: number) => send(endAbsence, { params: { id: String(id) } }))
