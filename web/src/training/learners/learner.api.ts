import {
  type Enrollment,
  type EnrollmentState,
  enrollLearner,
  findCandidates,
  grantAttempt,
  listEnrollments,
  removeLearner,
} from '@limber/contract/training/learners/enrollment.ts'
import { queryOptions } from '@tanstack/react-query'
import type { TablePage } from '#ui/table/data-table.tsx'
import { courseKey, read, useTrainingCall } from '../training.api.ts'

interface Filter {
  search: string
  state: EnrollmentState | null
  page: number
  limit: number
}

export const learnersQuery = (course_key: string, filter: Filter) =>
  queryOptions({
    queryKey: [...courseKey(course_key), 'learners', filter],
    queryFn: ({ signal }) => read('load learners', listEnrollments, { course_key, ...filter }, signal),
    select: ({ data, pagination }): TablePage<Enrollment> => ({ rows: data, totalItems: pagination.totalItems }),
    placeholderData: (before) => before,
  })

export const candidatesQuery = (course_key: string, search: string) =>
  queryOptions({
    queryKey: [...courseKey(course_key), 'candidates', search],
    queryFn: ({ signal }) => read('find users', findCandidates, { course_key, search }, signal),
    select: ({ data }) => data,
    enabled: search !== '',
    placeholderData: (before) => before,
  })

export const useEnroll = () => useTrainingCall('enroll learner', enrollLearner)
export const useWithdraw = () => useTrainingCall('withdraw learner', removeLearner)
export const useGrantAttempt = () => useTrainingCall('grant another attempt', grantAttempt)
