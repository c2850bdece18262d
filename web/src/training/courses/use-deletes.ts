import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Course } from '@limber/contract/training/courses/course.ts'
import type { Module } from '@limber/contract/training/courses/module.ts'
import type { LessonRow } from '@limber/contract/training/lessons/lesson.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { UNTITLED_LESSON } from '../labels.ts'
import { useDeleteLesson } from '../lessons/lesson.api.ts'
import { useNotices } from '../notices.tsx'
import { useDeleteCourse, useDeleteModule } from '../training.api.ts'

const ask = (title: string, body: string) => confirm({ title, body, action: 'Confirm', isDestructive: true })

/** Deletes after a confirmation and shows the result; resolves to true if the record was deleted. */
export function useDeletes() {
  const { succeed, fail } = useNotices()
  const course = useDeleteCourse()
  const module = useDeleteModule()
  const lesson = useDeleteLesson()

  const attempt = async (work: Promise<unknown>, message: string) => {
    try {
      await work
      succeed(message)
      return true
    } catch (error) {
      fail(error)
      return false
    }
  }

  const removeCourse = async ({ course_key, title, moduleCount, lessonCount, enrolledCount, version }: Course) => {
    const learners = enrolledCount > 0 ? `, and the progress of ${pluralize(enrolledCount, 'learner')}` : ''
    const body = `This also deletes ${pluralize(moduleCount, 'module')} and ${pluralize(lessonCount, 'lesson')} with their files${learners}. This cannot be undone.`
    if (!(await ask(`Delete the course “${title}”?`, body))) return false
    return attempt(course.mutateAsync({ course_key, version }), 'Course deleted successfully')
  }

  const removeModule = async ({ course_key, module_key, title, lessonCount, version }: Module) => {
    const body = `This also deletes all of its lessons (${lessonCount}). This cannot be undone.`
    if (!(await ask(`Delete the module “${title}”?`, body))) return false
    return attempt(module.mutateAsync({ course_key, module_key, version }), 'Module deleted successfully')
  }

  const removeLesson = async ({ id, title, version }: LessonRow) => {
    const body = 'This also deletes all quiz attempts and progress data of this lesson. This cannot be undone.'
    if (!(await ask(`Delete the lesson “${title || UNTITLED_LESSON}”?`, body))) return false
    return attempt(lesson.mutateAsync({ lesson_id: id, version }), 'Lesson deleted successfully')
  }
  return { removeCourse, removeModule, removeLesson }
}
