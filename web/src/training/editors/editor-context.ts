import type { Course } from '@limber/contract/training/courses/course.ts'
import { createContext, use } from 'react'

interface Editing {
  course: Course
  /** The lesson that uploaded files belong to; undefined for a new lesson. */
  lessonId: number | undefined
  /** The quiz of a mixed lesson that a link points to: the component (from 1) and optionally the question. */
  sought?: { part: number; question: string }
}

export const EditorContext = createContext<Editing | null>(null)

/** The course and lesson that an upload belongs to. */
export function useTarget() {
  const { course, lessonId } = useEditing()
  return { course_key: course.course_key, ...(lessonId === undefined ? {} : { lesson_id: lessonId }) }
}

/** The course and lesson of the surrounding editor. */
export function useEditing(): Editing {
  const editing = use(EditorContext)
  if (!editing) throw new Error('This editor must be inside a lesson form')
  return editing
}
