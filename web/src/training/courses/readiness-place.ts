import type { ReadinessItem } from '@limber/contract/training/courses/course.ts'
import type { TrainingSearch } from '../training-search.ts'

/** The place in Training Management where a checklist item can be fixed. */
export function placeOf(course: string, item: ReadinessItem): Partial<TrainingSearch> {
  const { module_key, lesson_id, component, question_id } = item
  const lessons = { tab: 'lessons', course } as const
  const lesson = { ...lessons, lesson: lesson_id ?? 0 }
  switch (item.kind) {
    case 'prerequisite_not_in_production':
      return { course, edit: item.course_key ?? course }
    case 'no_modules':
      return { tab: 'modules', course }
    case 'no_lessons':
      return lessons
    case 'module_without_lessons':
      return { ...lessons, module: module_key ?? '' }
    case 'inactive_prerequisite':
      return lesson_id === null ? { tab: 'modules', course, edit: module_key ?? '' } : lesson
    case 'empty_lesson':
    case 'missing_media':
      return lesson
    case 'quiz_without_questions':
    case 'nothing_to_score':
    case 'question_without_answer': {
      const question = question_id === null ? {} : { question: question_id }
      return component === null
        ? { ...lessons, quiz: lesson_id ?? 0, ...question }
        : { ...lesson, part: component + 1, ...question }
    }
  }
}
