import type { ContentInputOf, ContentType } from '@limber/contract/training/lessons/content.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'
import type { Theme } from '@limber/contract/training/theme/theme.ts'

/** The fields that all lessons have. */
interface Heading {
  title: string
  about: string
  minutes: number
  /** Prerequisites in the same module, and references to other lessons of the course, by title. */
  after?: string[]
  see?: string[]
}
export type LessonPlan = Heading & { [T in ContentType]: { type: T; content: ContentInputOf<T> } }[ContentType]
export interface ModulePlan {
  key: string
  title: string
  about: string
  /** Prerequisite modules, by key. */
  after?: string[]
  lessons: LessonPlan[]
}
export interface CoursePlan {
  key: string
  title: string
  about: string
  level: 'beginner' | 'intermediate' | 'advanced'
  isRequired: boolean
  isLive: boolean
  /** Days since it went live; absent if it was there before all stretchers. */
  liveSince?: number
  after?: string[]
  theme?: Theme
  modules: ModulePlan[]
}

/** The URL of a file by its name; empty if there is no storage. */
export type FileUrl = (name: string) => string

/** Joins paragraphs of markdown. Empty ones, such as images without a URL, are left out. */
export const page = (...paragraphs: string[]) => paragraphs.filter(Boolean).join('\n\n')
/** A markdown list. */
export const list = (...items: string[]) => items.map((item) => `- ${item}`).join('\n')
export const text = (heading: Heading, ...paragraphs: string[]): LessonPlan => ({
  ...heading,
  type: 'text',
  content: { trainingLessonContent: page(...paragraphs) },
})
export const choice = (
  id: string,
  question: string,
  options: string[],
  correctAnswer: number,
  why: string,
): Question => ({
  id,
  trainingQuizQuestion: question,
  type: 'multiple_choice',
  options,
  correctAnswer,
  correctAnswers: [],
  acceptedAnswers: [],
  trainingQuizExplanation: why,
  points: 1,
})
export const truth = (id: string, question: string, isTrue: boolean, why: string): Question => ({
  ...choice(id, question, ['True', 'False'], isTrue ? 0 : 1, why),
  type: 'true_false',
})
export const select = (
  id: string,
  question: string,
  options: string[],
  correctAnswers: number[],
  why: string,
): Question => ({
  ...choice(id, question, options, 0, why),
  type: 'multiple_select',
  correctAnswer: null,
  correctAnswers,
  points: 2,
})
export const short = (id: string, question: string, acceptedAnswers: string[], why: string): Question => ({
  ...choice(id, question, [], 0, why),
  type: 'short_answer',
  correctAnswer: null,
  acceptedAnswers,
})
export const quiz = (
  heading: Heading,
  questions: Question[],
  more: Partial<ContentInputOf<'quiz'>> = {},
): LessonPlan => ({ ...heading, type: 'quiz', content: { questions, ...more } })
/** A lesson of any other type. */
export const lesson = <T extends Exclude<ContentType, 'text' | 'quiz'>>(
  type: T,
  heading: Heading,
  content: ContentInputOf<T>,
) => ({ ...heading, type, content }) as LessonPlan

/** A markdown image; empty if it has no URL. */
export const image = (file: FileUrl, name: string, alt: string) => (file(name) ? `![${alt}](${file(name)})` : '')

/** The total duration of the lessons in hours, rounded up to half hours. */
export const hoursOf = ({ modules }: CoursePlan) =>
  Math.ceil(modules.flatMap(({ lessons }) => lessons).reduce((sum, { minutes }) => sum + minutes, 0) / 30) / 2
