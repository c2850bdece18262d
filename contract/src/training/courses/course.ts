import { z } from 'zod'
import { defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { type Field, shapeOf } from '#kit/fields.ts'
import { Pagination } from '#kit/page.ts'
import { Id, Moment, Version } from '#kit/values.ts'
import { Lesson } from '../lessons/lesson.ts'
import { Theme, ThemeInput } from '../theme/theme.ts'
import { Description, Key, NewKey, OptionalDescription, StyleNote, StyleText, success, Title } from '../values.ts'
import { Module } from './module.ts'

export const Difficulty = z.enum(['beginner', 'intermediate', 'advanced'])
export type Difficulty = z.infer<typeof Difficulty>

export const Course = z.object({
  course_key: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  difficulty_level: Difficulty,
  estimated_duration_hours: z.number().nullable(),
  is_required: z.boolean(),
  /** Production mode: learners can take the course. */
  is_active: z.boolean(),
  /** Keys of the courses that must be completed first. */
  prerequisites: z.array(z.string()),
  trainingStylesheet: z.string(),
  metadata: z.object({ theme: Theme.nullable(), trainingStylesheet: z.string() }),
  /** The filtered CSS of the theme and the stylesheet, every rule scoped to `.course-content`. */
  styles: z.string(),
  moduleCount: z.int(),
  lessonCount: z.int(),
  /** Enrolled learners, and those who are in progress. */
  enrolledCount: z.int(),
  learningCount: z.int(),
  created_at: Moment,
  updated_at: Moment,
  version: Version,
})
export type Course = z.infer<typeof Course>

export const ReadinessBadge = z.enum(['Production', 'Ready for Production', 'Needs Lessons', 'Needs Modules'])
export type ReadinessBadge = z.infer<typeof ReadinessBadge>

/** The readiness badge of a course card. */
export function badgeOf(course: Pick<Course, 'is_active' | 'moduleCount' | 'lessonCount'>): ReadinessBadge {
  if (course.is_active) return 'Production'
  if (course.moduleCount === 0) return 'Needs Modules'
  return course.lessonCount > 0 ? 'Ready for Production' : 'Needs Lessons'
}

const Hours = z
  .number()
  .min(0, 'cannot be negative')
  .max(1000, 'must be at most 1,000 hours')
  .refine((hours) => Number.isInteger(hours * 2), 'must be in half-hour steps')
  .nullable()

/** The editable fields of a course, in form order. */
export const courseFields = [
  { name: 'title', label: 'Title', schema: Title },
  { name: 'description', label: 'Description', schema: Description },
  { name: 'difficulty_level', label: 'Difficulty level', schema: Difficulty },
  { name: 'estimated_duration_hours', label: 'Hours', schema: Hours },
  { name: 'is_required', label: 'Required', schema: z.boolean(), kind: 'flag' },
  { name: 'is_active', label: 'Production mode', schema: z.boolean(), kind: 'flag' },
  { name: 'prerequisites', label: 'Prerequisites', schema: z.array(Key).max(50) },
  { name: 'trainingStylesheet', label: 'Stylesheet', schema: StyleText },
] as const satisfies readonly Field[]

const fields = shapeOf(courseFields)

const metadata = z.strictObject({ theme: ThemeInput.nullish(), trainingStylesheet: StyleText.optional() }).optional()

export const noCourse = [404, 'This course does not exist.'] as const
const stale = staleRefusal('this course', Course)
const fieldRefusals = {
  no_such_course: [422, 'The prerequisite "{key}" does not exist.'],
  own_prerequisite: [422, 'A course cannot be its own prerequisite.'],
  prerequisite_cycle: [422, 'These prerequisites form a loop: {path}.'],
  bad_theme: [422, '{text}'],
} as const
export const CANNOT_ACTIVATE = 'Cannot activate production mode: Course must have at least one module and one lesson.'

/** The reply to every change of a course. `notes` lists what was removed from custom CSS. */
const changed = z.object({ success, data: Course, notes: z.array(StyleNote) })

export const listCourses = defineCall({
  method: 'POST',
  path: '/api/training/courses/list',
  summary: 'List courses by title, with counts',
  permission: 'training.manage',
  reads: true,
  body: z
    .strictObject({
      search: z.string().max(200).default(''),
      page: z.int().min(1).max(1_000_000).default(1),
      limit: z.int().min(1).max(500).default(500),
    })
    .prefault({}),
  reply: z.object({
    data: z.array(Course),
    pagination: Pagination,
    /** Hosts whose media lessons may use in addition to uploaded files. */
    mediaHosts: z.array(z.string()),
  }),
})

export const exportCourses = exportCall(listCourses, 'courses', {
  filters: { search: z.string().max(200).default('') },
})

export const getCourse = defineCall({
  method: 'POST',
  path: '/api/training/courses/get',
  summary: 'Get a course with its modules and full lessons, in order',
  permission: 'training.manage',
  reads: true,
  body: z.strictObject({ course_key: Key }),
  reply: z.object({ data: z.object({ course: Course, modules: z.array(Module), lessons: z.array(Lesson) }) }),
  refusals: { not_found: noCourse },
})
export type CourseContents = ReplyOf<typeof getCourse>['data']

export const createCourse = defineCall({
  method: 'POST',
  path: '/api/training/courses/create',
  summary: 'Create a course in development mode',
  permission: 'training.manage',
  bodyLimit: 1024 * 1024,
  body: z.strictObject({
    course_key: NewKey,
    ...fields,
    difficulty_level: Difficulty.default('beginner'),
    estimated_duration_hours: Hours.default(null),
    is_required: z.boolean().default(false),
    is_active: z.boolean().default(false),
    prerequisites: fields.prerequisites.default([]),
    trainingStylesheet: StyleText.optional(),
    metadata,
  }),
  reply: changed,
  refusals: {
    ...fieldRefusals,
    key_taken: [409, 'A course with the key "{key}" already exists.'],
    cannot_activate: [422, CANNOT_ACTIVATE],
  },
})

export const updateCourse = defineCall({
  method: 'POST',
  path: '/api/training/courses/update',
  summary: 'Update a course; omitted fields do not change. The key is permanent',
  permission: 'training.manage',
  bodyLimit: 1024 * 1024,
  body: z.strictObject({
    course_key: Key,
    ...z.object(fields).partial().shape,
    description: OptionalDescription,
    metadata,
    version: Version.optional(),
  }),
  reply: changed,
  refusals: { ...fieldRefusals, not_found: noCourse, stale, cannot_activate: [422, CANNOT_ACTIVATE] },
})
/** The course fields of a form. */
export type CourseDraft = Pick<z.input<typeof updateCourse.body>, (typeof courseFields)[number]['name']>

/** What was deleted along with a record. */
export const Deleted = z.object({
  modules: z.int(),
  lessons: z.int(),
  attempts: z.int(),
  progress: z.int(),
  assets: z.int(),
})
export type Deleted = z.infer<typeof Deleted>

export const deleteCourse = defineCall({
  method: 'POST',
  path: '/api/training/courses/delete',
  summary:
    'Delete a course with its modules, lessons, files, enrollments, attempts and progress; this cannot be undone',
  permission: 'training.manage',
  body: z.strictObject({
    course_key: Key,
    version: Version.optional(),
    /** The course title, typed to confirm. Required if the course is in production and has learners. */
    confirm_title: z.string().max(200).optional(),
  }),
  reply: z.object({ success, data: z.object({ course_key: z.string(), deleted: Deleted }) }),
  refusals: {
    not_found: noCourse,
    stale,
    confirm_title: [
      422,
      'This course is in production and has learners. Type its title to delete it, or archive it instead.',
    ],
  },
})

export const updateCourseTheme = defineCall({
  method: 'POST',
  path: '/api/training/update-course-theme',
  summary: 'Save the theme of a course',
  permission: 'training.manage',
  body: z.strictObject({ course_key: Key, theme: ThemeInput, version: Version.optional() }),
  reply: changed,
  refusals: { not_found: noCourse, stale, bad_theme: [422, '{text}'] },
})

/** One item of the readiness checklist. Items only warn; the production mode rule is what blocks. */
export const ReadinessItem = z.object({
  kind: z.enum([
    'no_modules',
    'no_lessons',
    'module_without_lessons',
    'empty_lesson',
    'quiz_without_questions',
    'nothing_to_score',
    'question_without_answer',
    'missing_media',
    'inactive_prerequisite',
    'prerequisite_not_in_production',
  ]),
  text: z.string(),
  /** For prerequisites: the other course. */
  course_key: z.string().nullable(),
  module_id: Id.nullable(),
  module_key: z.string().nullable(),
  lesson_id: Id.nullable(),
  /** The index of the component in a mixed lesson. */
  component: z.int().nullable(),
  question_id: z.string().nullable(),
})
export type ReadinessItem = z.infer<typeof ReadinessItem>

export const checkReadiness = defineCall({
  method: 'POST',
  path: '/api/training/courses/readiness',
  summary: 'List what a course needs before production',
  permission: 'training.manage',
  reads: true,
  body: z.strictObject({ course_key: Key }),
  reply: z.object({
    data: z.object({ badge: ReadinessBadge, canActivate: z.boolean(), items: z.array(ReadinessItem) }),
  }),
  refusals: { not_found: noCourse },
})
export type Readiness = ReplyOf<typeof checkReadiness>['data']
