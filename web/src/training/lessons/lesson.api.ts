import type { InputOf } from '@limber/contract/kit/call.ts'
import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import {
  addQuestion,
  contentOf,
  createLesson,
  deleteLesson,
  type Lesson,
  putLesson,
  reorderLessons,
  updateLesson,
} from '@limber/contract/training/lessons/lesson.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'
import { send } from '#platform/api/api.ts'
import { CallFailure, currentOf } from '#platform/api/call-failure.ts'
import { type Action, nameFailure } from '../failed-to.ts'
import { mergeQuiz } from '../quiz/merge-quiz.ts'
import { useTrainingCall, useTrainingChange } from '../training.api.ts'
import { readContent } from './read-content.ts'

type BodyIn<I> = I extends { body: infer B } ? B : never
export type NewLesson = BodyIn<InputOf<typeof createLesson>>
export type LessonChange = BodyIn<InputOf<typeof updateLesson>>

export const useCreateLesson = () => useTrainingCall('create lesson', createLesson)
export const useUpdateLesson = () => useTrainingCall('update lesson', updateLesson)
export const useDeleteLesson = () => useTrainingCall('delete lesson', deleteLesson)
export const useReorderLessons = () => useTrainingCall('reorder lessons', reorderLessons)
export const useAddQuestion = (id: number) =>
  useTrainingChange((body: Question) =>
    nameFailure('add question', send(addQuestion, { params: { id: String(id) }, body })),
  )

/** A new version of the quiz, and the lesson it was based on. */
interface QuizChange {
  base: Lesson
  quiz: ContentOf<'quiz'>
}

/** Both workers changed the same question differently; carries the current lesson. */
export class DisputedQuestion extends CallFailure {
  readonly lesson: Lesson

  constructor(lesson: Lesson, { trainingQuizQuestion }: Question) {
    const error = `Someone else changed this question to “${trainingQuizQuestion}”. Your changes are still here. Save again to replace theirs.`
    super(409, { error, code: 'disputed' })
    this.lesson = lesson
  }
}

const quizOf = (lesson: Lesson) => readContent('quiz', contentOf(lesson).content_data)

const put = (lesson: Lesson, quiz: ContentOf<'quiz'>) =>
  send(putLesson, {
    params: { id: String(lesson.id) },
    body: { ...lesson, content_data: quiz } as BodyIn<InputOf<typeof putLesson>>,
  })

/** Saves a quiz based on an earlier read. Changes that others saved since are merged, question by question. */
async function saveQuiz({ base, quiz }: QuizChange) {
  try {
    return await put(base, quiz)
  } catch (error) {
    const current = currentOf<typeof putLesson>(error)
    if (current?.content_type !== 'quiz') throw error
    const { quiz: merged, disputed } = mergeQuiz(quizOf(base), quizOf(current), quiz)
    if (disputed[0]) throw new DisputedQuestion(current, disputed[0])
    return put(current, merged)
  }
}

/** Changes the questions or settings of a quiz lesson. */
export const useSaveQuiz = (action: Action) =>
  useTrainingChange((change: QuizChange) => nameFailure(action, saveQuiz(change)))
