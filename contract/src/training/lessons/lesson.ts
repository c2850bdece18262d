import { z } from 'zod'
import { type BodyOf, changedText, defineCall, staleRefusal } from '#kit/call.ts'
import type { Field } from '#kit/fields.ts'
import { Pagination } from '#kit/page.ts'
import { Id, IdText, Moment, Version } from '#kit/values.ts'
import { NEEDED_IN_PRODUCTION } from '../courses/module.ts'
import { Description, Key, Minutes, NewKey, OptionalDescription, StyleNote, success, Title } from '../values.ts'
import {
  type ContentData,
  ContentType,
  contentSchemas,
  type MixedComponent,
  MixedComponents,
  type TypedContent,
  type TypedContentInput,
} from './content.ts'
import { QuestionInput } from './question.ts'

// Replies contain content that was parsed on save. Parsing it again would be slow and find nothing.
const StoredContent = z.custom<ContentData>((value) => typeof value === 'object' && value !== null)
const StoredComponent = z.custom<MixedComponent>((value) => typeof value === 'object' && value !== null)

/** A lesson without its content, for lists. */
export const LessonRow = z.object({
  id: Id,
  course_key: z.string(),
  module_key: z.string(),
  lesson_key: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  content_type: ContentType,
  duration_minutes: z.int().nullable(),
  is_required: z.boolean(),
  is_active: z.boolean(),
  passing_score: z.number().nullable(),
  max_attempts: z.int(),
  /** Ids of lessons in the same module. */
  prerequisites: z.array(Id),
  /** Ids of lessons in any module of the course. */
  references: z.array(Id),
  /** Zero-based position in the module. */
  position: z.int(),
  /** All questions of the lesson, including those of its components. */
  questionCount: z.int(),
  allowsHtml: z.boolean(),
  created_at: Moment,
  updated_at: Moment,
  version: Version,
})
export type LessonRow = z.infer<typeof LessonRow>

export const Lesson = LessonRow.extend({
  content_data: StoredContent,
  /** The components of a lesson that was mixed before its type changed. Changing back to mixed restores them. */
  kept_components: z.array(StoredComponent),
  /** The filtered CSS of the lesson, scoped to `.lesson-content` and the class of each component. */
  styles: z.string(),
})
/** Narrow the content with `contentOf(lesson)`. */
export type Lesson = z.infer<typeof Lesson>

/** The editable fields of a lesson, in the order a conflict shows them. */
export const lessonFields = [
  { name: 'title', label: 'Title' },
  { name: 'module_key', label: 'Module' },
  { name: 'description', label: 'Description' },
  { name: 'content_type', label: 'Content type' },
  { name: 'content_data', label: 'Content' },
  { name: 'duration_minutes', label: 'Minutes' },
  { name: 'passing_score', label: 'Passing score' },
  { name: 'max_attempts', label: 'Max attempts' },
  { name: 'is_required', label: 'Required', kind: 'flag' },
  { name: 'is_active', label: 'Active', kind: 'flag' },
  { name: 'prerequisites', label: 'Prerequisites' },
  { name: 'references', label: 'References' },
] as const satisfies readonly Field<keyof Lesson>[]

/** The type and content of a lesson as a pair that TypeScript can narrow. */
export const contentOf = ({ content_type, content_data }: Pick<Lesson, 'content_type' | 'content_data'>) =>
  ({ content_type, content_data }) as TypedContent

const Content = z.custom<TypedContentInput['content_data']>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
)

/** Parses the content strictly by its type. Issues carry the path within the content. */
function parseContent(type: ContentType, data: unknown, context: z.RefinementCtx): ContentData | undefined {
  const parsed = contentSchemas[type].safeParse(data)
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues.slice(0, 20))
    context.addIssue({ code: 'custom', path: ['content_data', ...path], message })
  return undefined
}

const Ids = z
  .array(Id)
  .max(200)
  .transform((ids) => [...new Set(ids)])
const PassingScore = z
  .number()
  .min(0, 'The passing score must be between 0 and 100.')
  .max(100, 'The passing score must be between 0 and 100.')
  .nullable()
const MaxAttempts = z.int().min(1, 'Allow at least one attempt.').max(1000)
/** The default for `max_attempts`. */
export const DEFAULT_ATTEMPTS = 3

export const noLesson = [404, 'This lesson does not exist.'] as const
const stale = staleRefusal('this lesson', Lesson)
const fieldRefusals = {
  no_such_lesson: [422, 'The prerequisite {id} is not a lesson of this module.'],
  own_prerequisite: [422, 'A lesson cannot be its own prerequisite.'],
  prerequisite_cycle: [422, 'These prerequisites form a loop: {path}.'],
  no_such_reference: [422, 'The reference {id} is not a lesson of this course.'],
  own_reference: [422, 'A lesson cannot reference itself.'],
  bad_link: [422, 'The link "{link}" is not allowed. Links must start with https:, http:, mailto: or tel:.'],
  media_host: [422, 'Media from {host} is not allowed. Upload the file instead.'],
} as const

/** The reply to every change of a lesson. `notes` lists what was removed from custom CSS. */
const changed = z.object({ success, data: Lesson, notes: z.array(StyleNote) })

/** Maximum lessons of a course. */
export const MAX_LESSONS = 2000
const BODY_LIMIT = 4 * 1024 * 1024

export const listLessons = defineCall({
  method: 'POST',
  path: '/api/training/lessons/list',
  summary: 'List the lessons of a course or module, in order',
  permission: 'training.manage',
  reads: true,
  body: z.strictObject({
    course_key: Key,
    module_key: Key.nullish(),
    /** False omits the content: a course can have hundreds of lessons. */
    with_content: z.boolean().default(true),
    page: z.int().min(1).max(1_000_000).default(1),
    limit: z.int().min(1).max(MAX_LESSONS).default(MAX_LESSONS),
  }),
  reply: z.object({
    data: z.array(Lesson.partial({ content_data: true, kept_components: true, styles: true })),
    pagination: Pagination,
  }),
  refusals: { not_found: [404, 'This course does not exist.'], no_module: [404, 'This module does not exist.'] },
})

export const getLesson = defineCall({
  method: 'POST',
  path: '/api/training/lessons/get',
  summary: 'Get a lesson with its content',
  permission: 'training.manage',
  reads: true,
  body: z.strictObject({ lesson_id: Id }),
  reply: z.object({ data: Lesson }),
  refusals: { not_found: noLesson },
})

export const createLesson = defineCall({
  method: 'POST',
  path: '/api/training/lessons/create',
  summary: 'Add a lesson to the end of a module',
  permission: 'training.manage',
  bodyLimit: BODY_LIMIT,
  body: z
    .strictObject({
      course_key: Key,
      module_key: Key,
      lesson_key: NewKey,
      title: Title,
      description: Description,
      content_type: ContentType,
      content_data: Content.optional(),
      duration_minutes: Minutes.default(null),
      is_required: z.boolean().default(true),
      is_active: z.boolean().default(true),
      passing_score: PassingScore.default(null),
      max_attempts: MaxAttempts.default(DEFAULT_ATTEMPTS),
      prerequisites: Ids.default([]),
      references: Ids.default([]),
      /** Components to restore if the lesson becomes mixed. A mixed lesson has its components in its content. */
      kept_components: MixedComponents.default([]),
    })
    .transform((body, context) => ({
      ...body,
      content_data: parseContent(body.content_type, body.content_data ?? {}, context) ?? {},
    })),
  reply: changed,
  refusals: {
    ...fieldRefusals,
    not_found: [404, 'This module does not exist.'],
    key_taken: [409, 'A lesson with the key "{key}" already exists in this module.'],
    too_many: [422, 'A course can have at most 2,000 lessons.'],
  },
})

const updatableFields = {
  /** A different module of the same course: moves the lesson to the end of that module. */
  module_key: Key.optional(),
  title: Title.optional(),
  description: OptionalDescription,
  content_type: ContentType.optional(),
  /** If omitted, a change of type starts with the defaults of the new type. */
  content_data: Content.optional(),
  duration_minutes: Minutes.optional(),
  is_required: z.boolean().optional(),
  is_active: z.boolean().optional(),
  passing_score: PassingScore.optional(),
  max_attempts: MaxAttempts.optional(),
  prerequisites: Ids.optional(),
  references: Ids.optional(),
  /** If omitted, a change of type keeps the components of the lesson. */
  kept_components: MixedComponents.optional(),
  version: Version.optional(),
  course_key: Key.optional(),
  lesson_key: Key.optional(),
}

const withParsedContent = <T extends { content_type?: ContentType | undefined; content_data?: unknown }>(
  body: T,
  context: z.RefinementCtx,
) => {
  if (body.content_data === undefined) return { ...body, content_data: undefined }
  if (body.content_type === undefined) {
    context.addIssue({ code: 'custom', path: ['content_type'], message: 'is required with content_data' })
    return { ...body, content_data: undefined }
  }
  return { ...body, content_data: parseContent(body.content_type, body.content_data, context) }
}

const updateRefusals = {
  ...fieldRefusals,
  not_found: noLesson,
  stale,
  other_course: [400, 'A lesson cannot move to another course.'],
  key_locked: [400, 'The key of a lesson is permanent.'],
  no_such_module: [422, 'The module "{key}" does not belong to this course.'],
  has_dependents: [422, 'Other lessons in its module require this lesson. Remove those prerequisites first.'],
  key_taken: [409, 'A lesson with the key "{key}" already exists in that module.'],
} as const

export const updateLesson = defineCall({
  method: 'POST',
  path: '/api/training/lessons/update',
  summary: 'Update a lesson; omitted fields do not change. The key is permanent',
  permission: 'training.manage',
  bodyLimit: BODY_LIMIT,
  body: z.strictObject({ lesson_id: Id, ...updatableFields }).transform(withParsedContent),
  reply: changed,
  refusals: updateRefusals,
})
export type UpdateLesson = BodyOf<typeof updateLesson>

/** Accepts a lesson exactly as a reply returned it. Fields that the server computes are ignored. */
export const putLesson = defineCall({
  method: 'PUT',
  path: '/api/training/lessons/:id',
  summary: 'Replace a lesson, for example after editing a question or the quiz settings',
  permission: 'training.manage',
  bodyLimit: BODY_LIMIT,
  params: z.strictObject({ id: IdText }),
  body: z
    .strictObject({
      ...updatableFields,
      title: Title,
      content_type: ContentType,
      content_data: Content,
      id: Id.optional(),
      position: z.unknown().optional(),
      questionCount: z.unknown().optional(),
      allowsHtml: z.unknown().optional(),
      styles: z.unknown().optional(),
      created_at: z.unknown().optional(),
      updated_at: z.unknown().optional(),
    })
    .transform(withParsedContent),
  reply: changed,
  refusals: { ...updateRefusals, other_id: [400, 'The ID in the body does not match the ID in the path.'] },
})

/** Appends without a version check, so two workers can add questions at the same time. */
export const addQuestion = defineCall({
  method: 'POST',
  path: '/api/training/lessons/:id/questions',
  summary: 'Add a question to the end of a quiz lesson',
  permission: 'training.manage',
  params: z.strictObject({ id: IdText }),
  body: QuestionInput,
  reply: changed,
  refusals: {
    not_found: noLesson,
    not_a_quiz: [422, 'Only a quiz lesson has its own questions.'],
    id_taken: [409, 'This quiz already has a question with this ID.'],
    too_many: [422, 'A quiz can have at most 200 questions.'],
  },
})

export const deleteLesson = defineCall({
  method: 'POST',
  path: '/api/training/lessons/delete',
  summary: 'Delete a lesson with all its quiz attempts and progress data',
  permission: 'training.manage',
  body: z.strictObject({ lesson_id: Id, version: Version.optional() }),
  reply: z.object({
    success,
    data: z.object({ lesson_id: Id, deleted: z.object({ attempts: z.int(), progress: z.int(), assets: z.int() }) }),
  }),
  refusals: { not_found: noLesson, stale, last_of_production: [409, NEEDED_IN_PRODUCTION] },
})

export const reorderLessons = defineCall({
  method: 'POST',
  path: '/api/training/lessons/reorder',
  summary: 'Reorder the lessons of a module',
  permission: 'training.manage',
  body: z.strictObject({
    course_key: Key,
    module_key: Key,
    /** All lessons of the module, each once, in the new order. */
    lesson_ids: z.array(Id).min(1).max(MAX_LESSONS),
  }),
  reply: z.object({ success, data: z.array(Id) }),
  refusals: {
    not_found: [404, 'This module does not exist.'],
    changed: [409, changedText('these lessons')],
  },
})
