import type { Course } from '@limber/contract/training/courses/course.ts'
import { createContext, use } from 'react'

interface Editing {
  course: Course
  /** The lesson that files are uploaded for; none before it exists. */
  lessonId: number | undefined
  /** The quiz of a mixed lesson that a link led to: its component, from 1, and the question where it names one. */
  sought?: { part: number; question: string }
}

export const EditorContext = createContext<Editing | null>(null)

/** What a file that is uploaded here belongs to. */
export function useTarget() {
  const { course, lessonId } = useEditing()
  return { course_key: course.course_key, ...(lessonId === undefined ? {} : { lesson_id: lessonId }) }
}

/** The course and lesson that the editor around belongs to. */
export function useEditing(): Editing {
  const editing = use(EditorContext)
  if (!editing) throw new Error('This editor stands outside of a lesson')
  return editing
}
