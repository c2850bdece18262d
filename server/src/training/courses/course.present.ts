import type { Course } from '@limber/contract/training/courses/course.ts'
import { completeTheme } from '@limber/contract/training/theme/theme.ts'
import type { CourseRecord } from './course.queries.ts'

export const presentCourse = (row: CourseRecord): Course => ({
  course_key: row.course_key,
  title: row.title,
  description: row.description,
  difficulty_level: row.difficulty_level,
  estimated_duration_hours: row.hours,
  is_required: row.is_required,
  is_active: row.is_active,
  prerequisites: row.prerequisites,
  trainingStylesheet: row.stylesheet,
  metadata: { theme: row.theme && completeTheme(row.theme), trainingStylesheet: row.stylesheet },
  styles: row.styles,
  moduleCount: row.modules,
  lessonCount: row.lessons,
  enrolledCount: row.enrolled,
  learningCount: row.learning,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  version: row.version,
})
