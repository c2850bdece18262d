import type { ContentInputOf, ContentType } from '@limber/contract/training/lessons/content.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'
import type { Theme } from '@limber/contract/training/theme/theme.ts'

/** What every lesson says of itself. */
interface Heading {
  title: string
  about: string
  minutes: number
  /** Lessons of the same module that come before, and lessons of the course to look at again, by title. */
  after?: string[]
  see?: string[]
}
export type LessonPlan = Heading & { [T in ContentType]: { type: T; content: ContentInputOf<T> } }[ContentType]
export interface ModulePlan {
  key: string
  title: string
  about: string
  /** Modules of the course that come before, by key. */
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
  /** Days since it went into production; none: it was there before everybody. */
  liveSince?: number
  after?: string[]
  theme?: Theme
  modules: ModulePlan[]
}

/** The address of a file by its name, once the file has one; empty where there is no storage to put it into. */
export type FileAddress = (name: string) => string

/** Paragraphs as one text in markdown; a picture that has no address is left out. */
export const page = (...paragraphs: string[]) => paragraphs.filter(Boolean).join('\n\n')
/** Items as a list in markdown. */
export const list = (...items: string[]) => items.map((item) => `- ${item}`).join('\n')
export const text = (heading: Heading, ...paragraphs: string[]): LessonPlan => ({
  ...heading,
  type: 'text',
  content: { trainingLessonContent: page(...paragraphs) },
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

/** A picture in markdown; nothing where it has no address. */
export const picture = (file: FileAddress, name: string, words: string) =>
  file(name) ? `![${words}](${file(name)})` : ''

/** Hours that the lessons take, in halves, as a course states them. */
export const hoursOf = ({ modules }: CoursePlan) =>
  Math.ceil(modules.flatMap(({ lessons }) => lessons).reduce((sum, { minutes }) => sum + minutes, 0) / 30) / 2
