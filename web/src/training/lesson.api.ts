import type { InputOf } from '@limber/contract/kit/call.ts'
import type { Lesson } from '@limber/contract/training/lesson.ts'
import {
  addQuestion,
  createLesson,
  deleteLesson,
  putLesson,
  reorderLessons,
  updateLesson,
} from '@limber/contract/training/lesson.ts'
import type { Question } from '@limber/contract/training/question.ts'
import { send } from '#platform/api.ts'
import { type Action, named } from './failed-to.ts'
import { useTrainingChange } from './training.api.ts'

type BodyIn<I> = I extends { body: infer B } ? B : never
export type NewLesson = BodyIn<InputOf<typeof createLesson>>
export type LessonChange = BodyIn<InputOf<typeof updateLesson>>

export const useCreateLesson = () =>
  useTrainingChange((body: NewLesson) => named('create lesson', send(createLesson, { body })))
export const useUpdateLesson = () =>
  useTrainingChange((body: LessonChange) => named('update lesson', send(updateLesson, { body })))
export const useDeleteLesson = () =>
  useTrainingChange((body: BodyIn<InputOf<typeof deleteLesson>>) =>
    named('delete lesson', send(deleteLesson, { body })),
  )
export const useReorderLessons = () =>
  useTrainingChange((body: BodyIn<InputOf<typeof reorderLessons>>) =>
    named('reorder lessons', send(reorderLessons, { body })),
  )
export const useAddQuestion = (id: number) =>
  useTrainingChange((body: Question) => named('add question', send(addQuestion, { params: { id: String(id) }, body })))

/** Saves a whole lesson, as after a change of one question or of the settings of its quiz. */
export const usePutLesson = (action: Action) =>
  useTrainingChange((lesson: Lesson) =>
    named(
      action,
      send(putLesson, { params: { id: String(lesson.id) }, body: lesson as BodyIn<InputOf<typeof putLesson>> }),
    ),
  )
