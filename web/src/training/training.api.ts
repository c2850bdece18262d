import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  checkReadiness,
  createCourse,
  deleteCourse,
  getCourse,
  listCourses,
  updateCourse,
  updateCourseTheme,
} from '@limber/contract/training/course.ts'
import { readCourseFigures } from '@limber/contract/training/figures.ts'
import { getLesson, listLessons } from '@limber/contract/training/lesson.ts'
import {
  createModule,
  deleteModule,
  listModules,
  reorderModules,
  updateModule,
} from '@limber/contract/training/module.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api.ts'
import { named } from './failed-to.ts'

/** Everything of training begins with this key; the live topic `training` reads it again. */
export const trainingKey = ['training']
export const courseKey = (key: string) => [...trainingKey, 'course', key]

export const coursesQuery = queryOptions({
  queryKey: [...trainingKey, 'courses'],
  queryFn: ({ signal }) => named('load courses', send(listCourses, { body: {} }, { signal }), signal),
  select: ({ data }) => data,
})

export const modulesQuery = (course_key: string) =>
  queryOptions({
    queryKey: [...courseKey(course_key), 'modules'],
    queryFn: ({ signal }) => named('load modules', send(listModules, { body: { course_key } }, { signal }), signal),
    select: ({ data }) => data,
    enabled: course_key !== '',
  })

/** Every lesson of the course, without content: hundreds of them open at once. */
export const lessonsQuery = (course_key: string) =>
  queryOptions({
    queryKey: [...courseKey(course_key), 'lessons'],
    queryFn: ({ signal }) =>
      named('load lessons', send(listLessons, { body: { course_key, with_content: false } }, { signal }), signal),
    select: ({ data }) => data,
    enabled: course_key !== '',
  })

export const lessonQuery = (lesson_id: number) =>
  queryOptions({
    queryKey: [...trainingKey, 'lesson', lesson_id],
    queryFn: ({ signal }) => named('load lesson', send(getLesson, { body: { lesson_id } }, { signal }), signal),
    select: ({ data }) => data,
    // What is edited must be what the server has now.
    staleTime: 0,
    gcTime: 0,
  })

export const contentsQuery = (course_key: string) =>
  queryOptions({
    queryKey: [...courseKey(course_key), 'contents'],
    queryFn: ({ signal }) =>
      named('load course for preview', send(getCourse, { body: { course_key } }, { signal }), signal),
    select: ({ data }) => data,
    staleTime: 0,
  })

export const readinessQuery = (course_key: string) =>
  queryOptions({
    queryKey: [...courseKey(course_key), 'readiness'],
    queryFn: ({ signal }) =>
      named('check readiness', send(checkReadiness, { body: { course_key } }, { signal }), signal),
    select: ({ data }) => data,
  })

export const figuresQuery = (course_key: string) =>
  queryOptions({
    queryKey: [...courseKey(course_key), 'figures'],
    queryFn: ({ signal }) =>
      named('load analytics', send(readCourseFigures, { body: { course_key } }, { signal }), signal),
    select: ({ data }) => data,
  })

/** A change after which everything of training is read again. */
export function useTrainingChange<Input, Reply>(mutationFn: (input: Input) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => cache.invalidateQueries({ queryKey: trainingKey }),
  })
}

type Body<C extends Parameters<typeof send>[0]> = InputOf<C> extends { body: infer B } ? B : never

export const useCreateCourse = () =>
  useTrainingChange((body: Body<typeof createCourse>) => named('create course', send(createCourse, { body })))
export const useUpdateCourse = () =>
  useTrainingChange((body: Body<typeof updateCourse>) => named('update course', send(updateCourse, { body })))
export const useDeleteCourse = () =>
  useTrainingChange((body: Body<typeof deleteCourse>) => named('delete course', send(deleteCourse, { body })))
export const useSaveTheme = () =>
  useTrainingChange((body: Body<typeof updateCourseTheme>) => send(updateCourseTheme, { body }))

export const useCreateModule = () =>
  useTrainingChange((body: Body<typeof createModule>) => named('create module', send(createModule, { body })))
export const useUpdateModule = () =>
  useTrainingChange((body: Body<typeof updateModule>) => named('update module', send(updateModule, { body })))
export const useDeleteModule = () =>
  useTrainingChange((body: Body<typeof deleteModule>) => named('delete module', send(deleteModule, { body })))
export const useReorderModules = () =>
  useTrainingChange((body: Body<typeof reorderModules>) => named('reorder modules', send(reorderModules, { body })))
