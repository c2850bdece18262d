import type { Course } from '@limber/contract/training/course.ts'
import { createContext, use } from 'react'

interface Editing {
  course: Course
  /** The lesson that files are uploaded for; none before it exists. */
  lessonId: number | undefined
}

export const EditorContext = createContext<Editing | null>(null)

/** The course and lesson that the editor around belongs to. */
export function useEditing(): Editing {
  const editing = use(EditorContext)
  if (!editing) throw new Error('This editor stands outside of a lesson')
  return editing
}
