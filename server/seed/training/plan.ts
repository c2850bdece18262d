import type { ContentInputOf, ContentType } from '@limber/contract/training/content.ts'
import type { Question } from '@limber/contract/training/question.ts'
import type { Theme } from '@limber/contract/training/theme.ts'

export type LessonPlan = {
  [T in ContentType]: { title: string; type: T; minutes: number; content: ContentInputOf<T> }
}[ContentType]
export interface CoursePlan {
  key: string
  title: string
  about: string
  level: 'beginner' | 'intermediate' | 'advanced'
  hours: number
  isRequired: boolean
  isLive: boolean
  after?: string[]
  theme?: Theme
  modules: { key: string; title: string; about: string; lessons: LessonPlan[] }[]
}

/** The address of a file by its name, once the file has one; empty where there is no storage to put it into. */
export type FileAddress = (name: string) => string

export const text = (title: string, minutes: number, words: string): LessonPlan => ({
  title,
  type: 'text',
  minutes,
  content: { trainingLessonContent: words },
})
export const choice = (id: string, words: string, options: string[], correctAnswer: number, why: string): Question => ({
  id,
  trainingQuizQuestion: words,
  type: 'multiple_choice',
  options,
  correctAnswer,
  correctAnswers: [],
  acceptedAnswers: [],
  trainingQuizExplanation: why,
  points: 1,
})
export const truth = (id: string, words: string, isTrue: boolean, why: string): Question => ({
  ...choice(id, words, ['True', 'False'], isTrue ? 0 : 1, why),
  type: 'true_false',
})
export const select = (
  id: string,
  words: string,
  options: string[],
  correctAnswers: number[],
  why: string,
): Question => ({
  ...choice(id, words, options, 0, why),
  type: 'multiple_select',
  correctAnswer: null,
  correctAnswers,
  points: 2,
})
export const short = (id: string, words: string, acceptedAnswers: string[], why: string): Question => ({
  ...choice(id, words, [], 0, why),
  type: 'short_answer',
  correctAnswer: null,
  acceptedAnswers,
})
export const quiz = (
  title: string,
  minutes: number,
  questions: Question[],
  more: Partial<ContentInputOf<'quiz'>> = {},
): LessonPlan => ({ title, type: 'quiz', minutes, content: { questions, ...more } })

/** What a course is written with: addresses of its files, and pictures where they have one. */
export const picture = (file: FileAddress, name: string, words: string) =>
  file(name) ? `![${words}](${file(name)})\n\n` : ''
