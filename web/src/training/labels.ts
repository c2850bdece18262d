import type { ReadinessBadge } from '@limber/contract/training/courses/course.ts'
import type { ContentType } from '@limber/contract/training/lessons/content.ts'
import type { LessonRow } from '@limber/contract/training/lessons/lesson.ts'
import type { QuestionType } from '@limber/contract/training/lessons/question.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const NO_DESCRIPTION = 'No description'
export const UNTITLED_LESSON = 'Untitled Lesson'

export const badgeMeaning: Record<ReadinessBadge, Meaning> = {
  Production: 'green',
  'Ready for Production': 'blue',
  'Needs Lessons': 'amber',
  'Needs Modules': 'plain',
}

export const typeNames: Record<ContentType, string> = {
  text: 'Text',
  video: 'Video',
  audio: 'Audio',
  quiz: 'Quiz',
  interactive: 'Interactive',
  document: 'Document',
  mixed: 'Mixed',
}

export const questionTypeNames: Record<QuestionType, string> = {
  multiple_choice: 'Multiple choice',
  multiple_select: 'Multiple select',
  true_false: 'True or false',
  short_answer: 'Short answer',
}

/** A lesson in a list of prerequisites or references. */
export const lessonLabel = ({ id, title, module_key }: Pick<LessonRow, 'id' | 'title' | 'module_key'>) =>
  title ? `${title} (${module_key})` : `Lesson ${id}`

/** Capitalizes an enum value for display. */
export const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

const PREVIEW_LENGTH = 50

/** A question in a list, cut at 50 characters. */
export const questionPreview = (text: string) =>
  text.length > PREVIEW_LENGTH ? `${text.slice(0, PREVIEW_LENGTH)}...` : text

/** A duration such as `4:05`. */
export const clockText = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
