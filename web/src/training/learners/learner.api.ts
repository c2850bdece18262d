import type { BodyOf } from '@limber/contract/kit/call.ts'
import {
  type Enrolment,
  type EnrolmentState,
  enrolLearner,
  findCandidates,
  grantAttempt,
  listEnrolments,
  removeLearner,
} from '@limber/contract/training/enrolment.ts'
import { queryOptions } from '@tanstack/react-query'
import { send } from '#platform/api.ts'
import type { TablePage } from '#ui/data-table.tsx'
import { named } from '../failed-to.ts'
import { courseKey, useTrainingChange } from '../training.api.ts'

interface Filter {
  search: string
  state: EnrolmentState | null
  page: number
  limit: number
}

export const learnersQuery = (course_key: string, filter: Filter) =>
  queryOptions({
    queryKey: [...courseKey(course_key), 'learners', filter],
    queryFn: ({ signal }) =>
      named('load learners', send(listEnrolments, { body: { course_key, ...filter } }, { signal }), signal),
    select: ({ data, pagination }): TablePage<Enrolment> => ({ rows: data, totalItems: pagination.totalItems }),
    placeholderData: (before) => before,
  })

export const candidatesQuery = (course_key: string, search: string) =>
  queryOptions({
    queryKey: [...courseKey(course_key), 'candidates', search],
    queryFn: ({ signal }) =>
      named('find users', send(findCandidates, { body: { course_key, search } }, { signal }), signal),
    select: ({ data }) => data,
    enabled: search !== '',
    placeholderData: (before) => before,
  })

export const useEnrol = () =>
  useTrainingChange((body: BodyOf<typeof enrolLearner>) => named('enrol learner', send(enrolLearner, { body })))
export const useWithdraw = () =>
  useTrainingChange((body: BodyOf<typeof removeLearner>) => named('withdraw learner', send(removeLearner, { body })))
export const useGrantAttempt = () =>
  useTrainingChange((body: BodyOf<typeof grantAttempt>) => named('give another attempt', send(grantAttempt, { body })))
