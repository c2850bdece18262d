import { type ContentData, contentSchemas } from '@limber/contract/training/lessons/content.ts'
import type { Lesson, LessonRow } from '@limber/contract/training/lessons/lesson.ts'
import { withIds } from './component.rules.ts'
import type { FullLesson, LessonRecord } from './lesson.queries.ts'

type Content = Pick<FullLesson, 'content_type' | 'content'>

/** Older quizzes use other field names, which the request schema also accepts. */
const isOlder = ({ content_type, content }: Content) =>
  (content_type === 'quiz' || content_type === 'mixed') && /"(question|explanation)":/.test(JSON.stringify(content))

function readContent(row: Content): ContentData {
  if (!isOlder(row)) return row.content
  const read = contentSchemas[row.content_type].safeParse(row.content)
  return read.success ? read.data : row.content
}

/** The content of a lesson in the current format, however old it is. */
export function modernContent(row: Content): ContentData {
  const content = readContent(row)
  return 'components' in content ? { ...content, components: withIds(content.components) } : content
}

export const presentLessonRow = (row: LessonRecord): LessonRow => ({
  id: row.id,
  course_key: row.course_key,
  module_key: row.module_key,
  lesson_key: row.lesson_key,
  title: row.title,
  description: row.description,
  content_type: row.content_type,
  duration_minutes: row.duration_minutes,
  is_required: row.is_required,
  is_active: row.is_active,
  passing_score: row.passing_score,
  max_attempts: row.max_attempts,
  prerequisites: row.prerequisites,
  references: row.references,
  position: row.position,
  questionCount: row.question_count,
  allowsHtml: row.allows_html,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  version: row.version,
})

export const presentLesson = (row: FullLesson): Lesson => ({
  ...presentLessonRow(row),
  content_data: modernContent(row),
  kept_components: withIds(row.kept_components ?? []),
  styles: row.styles,
})
