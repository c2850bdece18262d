import type { CallDefinition, InputOf, ReplyOf } from '@limber/contract/kit/call.ts'
import {
  checkReadiness,
  createCourse,
  deleteCourse,
  getCourse,
  listCourses,
  updateCourse,
  updateCourseTheme,
} from '@limber/contract/training/courses/course.ts'
import {
  createModule,
  deleteModule,
  listModules,
  reorderModules,
  updateModule,
} from '@limber/contract/training/courses/module.ts'
import { readCourseFigures } from '@limber/contract/training/learners/figures.ts'
import { getLesson, listLessons } from '@limber/contract/training/lessons/lesson.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import type { SendOptions } from '#platform/api/request.ts'
import { type Action, nameFailure } from './failed-to.ts'
import { setMediaHosts } from './preview/media-hosts.ts'

/** The prefix of all training query keys; the live topic `training` invalidates it. */
export const trainingKey = ['training']
export const courseKey = (key: string) => [...trainingKey, 'course', key]
const READINESS = 'readiness'

/** Whether the query feeds the course cards: the courses and their readiness. */
export const isOnCards = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[0] === trainingKey[0] && (queryKey[1] === 'courses' || queryKey.at(-1) === READINESS)

type Body<C extends CallDefinition> = Exclude<InputOf<C> extends { body?: infer B } ? B : never, undefined>

/** Reads with a call; failures get the text of a training banner. */
export const read = <C extends CallDefinition>(action: Action, call: C, body: Body<C>, signal: AbortSignal) =>
  nameFailure(action, sendBody(call, body, { signal }), signal)

// The contract types cannot express, for all calls at once, that a call needs only its body.
const sendBody = <C extends CallDefinition>(call: C, body: Body<C>, options: SendOptions = {}) =>
  (send as unknown as (call: C, input: { body: Body<C> }, options: SendOptions) => Promise<ReplyOf<C>>)(
    call,
    { body },
    options,
  )

export const coursesQuery = queryOptions({
  queryKey: [...trainingKey, 'courses'],
  queryFn: async ({ signal }) => {
    const courses = await read('load courses', listCourses, {}, signal)
    setMediaHosts(courses.mediaHosts)
    return courses
  },
  select: ({ data }) => data,
})

export const modulesQuery = (course_key: string) =>
  queryOptions({
    queryKey: [...courseKey(course_key), 'modules'],
    queryFn: ({ signal }) => read('load modules', listModules, { course_key }, signal),
    select: ({ data }) => data,
    enabled: course_key !== '',
  })

/** All lessons of the course without content, because there can be hundreds. */
export const lessonsQuery = (course_key: string) =>
  queryOptions({
    queryKey: [...courseKey(course_key), 'lessons'],
    queryFn: ({ signal }) => read('load lessons', listLessons, { course_key, with_content: false }, signal),
    select: ({ data }) => data,
    enabled: course_key !== '',
  })

export const lessonQuery = (lesson_id: number) =>
  queryOptions({
    queryKey: [...trainingKey, 'lesson', lesson_id],
    queryFn: ({ signal }) => read('load lesson', getLesson, { lesson_id }, signal),
    select: ({ data }) => data,
    // The editor must start from the current state on the server.
    staleTime: 0,
    gcTime: 0,
  })

export const contentsQuery = (course_key: string) =>
  queryOptions({
    queryKey: [...courseKey(course_key), 'contents'],
    queryFn: ({ signal }) => read('load course for preview', getCourse, { course_key }, signal),
    select: ({ data }) => data,
    staleTime: 0,
  })

export const readinessQuery = (course_key: string) =>
  queryOptions({
    queryKey: [...courseKey(course_key), READINESS],
    queryFn: ({ signal }) => read('check readiness', checkReadiness, { course_key }, signal),
    select: ({ data }) => data,
  })

export const figuresQuery = (course_key: string) =>
  queryOptions({
    queryKey: [...courseKey(course_key), 'figures'],
    queryFn: ({ signal }) => read('load analytics', readCourseFigures, { course_key }, signal),
    select: ({ data }) => data,
  })

/** A mutation that invalidates all training queries. */
export function useTrainingChange<Input, Reply>(mutationFn: (input: Input) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => cache.invalidateQueries({ queryKey: trainingKey }),
  })
}

/** A mutation with a call and its body. */
export const useTrainingCall = <C extends CallDefinition>(action: Action, call: C) =>
  useTrainingChange((body: Body<C>) => nameFailure(action, sendBody(call, body)))

export const useCreateCourse = () => useTrainingCall('create course', createCourse)
export const useUpdateCourse = () => useTrainingCall('update course', updateCourse)
export const useDeleteCourse = () => useTrainingCall('delete course', deleteCourse)
export const useSaveTheme = () =>
  useTrainingChange((body: Body<typeof updateCourseTheme>) => send(updateCourseTheme, { body }))

export const useCreateModule = () => useTrainingCall('create module', createModule)
export const useUpdateModule = () => useTrainingCall('update module', updateModule)
export const useDeleteModule = () => useTrainingCall('delete module', deleteModule)
export const useReorderModules = () => useTrainingCall('reorder modules', reorderModules)
