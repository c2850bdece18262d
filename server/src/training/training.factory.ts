import { type ContentType, defaultContent } from '@limber/contract/training/lessons/content.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'
import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'
import { randomToken } from '#platform/security/secrets.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'

type CourseRow = Insertable<Tables['training_courses']>
type ModuleRow = Insertable<Tables['training_modules']>
type LessonRow = Insertable<Tables['training_lessons']>

const key = (of: string) =>
  `${of}_${randomToken(6)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, 'x')}`

/** The row of a course in development. */
export const draftCourse = (overrides: Partial<CourseRow> = {}): CourseRow => {
  const at = overrides.created_at ?? factoryNow()
  return {
    course_key: overrides.course_key ?? key('course'),
    title: 'Anatomy For Stretchers',
    description: null,
    theme: null,
    created_at: at,
    updated_at: at,
    ...overrides,
  }
}

export const makeCourse = (db: Db, overrides: Partial<CourseRow> = {}) =>
  db
    .insertInto('training_courses')
    .values(draftCourse(overrides))
    .returning(['id', 'course_key', 'title', 'version'])
    .executeTakeFirstOrThrow()

/** The row of a module. */
export const draftModule = (overrides: Partial<ModuleRow> & { course_id: number }): ModuleRow => {
  const at = overrides.created_at ?? factoryNow()
  return {
    module_key: overrides.module_key ?? key('module'),
    title: 'Hips And Legs',
    description: null,
    estimated_duration_minutes: null,
    position: 0,
    created_at: at,
    updated_at: at,
    ...overrides,
  }
}

/** Inserts a module; creates a course if none is given. */
export async function makeModule(db: Db, overrides: Partial<ModuleRow> = {}) {
  const course_id = overrides.course_id ?? (await makeCourse(db)).id
  return db
    .insertInto('training_modules')
    .values(draftModule({ ...overrides, course_id }))
    .returning(['id', 'course_id', 'module_key', 'title', 'version'])
    .executeTakeFirstOrThrow()
}

/** The row of a lesson with the defaults of its type. */
export const draftLesson = (overrides: Partial<LessonRow> & { course_id: number; module_id: number }): LessonRow => {
  const at = overrides.created_at ?? factoryNow()
  const content_type: ContentType = overrides.content_type ?? 'text'
  return {
    lesson_key: overrides.lesson_key ?? key('lesson'),
    title: 'The Hip Flexors',
    description: null,
    content_type,
    content: JSON.stringify(defaultContent(content_type)),
    kept_components: null,
    duration_minutes: null,
    passing_score: null,
    position: 0,
    created_at: at,
    updated_at: at,
    ...overrides,
  }
}

/** Inserts a lesson; creates a module if none is given. */
export async function makeLesson(db: Db, overrides: Partial<LessonRow> = {}) {
  const module = overrides.module_id
    ? await db
        .selectFrom('training_modules')
        .select(['id', 'course_id'])
        .where('id', '=', overrides.module_id)
        .executeTakeFirstOrThrow()
    : await makeModule(db, overrides.course_id === undefined ? {} : { course_id: overrides.course_id })
  return db
    .insertInto('training_lessons')
    .values(draftLesson({ ...overrides, course_id: module.course_id, module_id: module.id }))
    .returning(['id', 'course_id', 'module_id', 'lesson_key', 'title', 'version'])
    .executeTakeFirstOrThrow()
}

/** A question with two answers; the first is correct. */
export const draftQuestion = (overrides: Partial<Question> = {}): Question => ({
  id: key('q'),
  trainingQuizQuestion: 'Which muscle lifts the knee?',
  type: 'multiple_choice',
  options: ['The iliopsoas', 'The soleus'],
  correctAnswer: 0,
  correctAnswers: [],
  acceptedAnswers: [],
  trainingQuizExplanation: '',
  points: 1,
  ...overrides,
})
