import { z } from 'zod'
import { type BodyOf, changedText, defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import type { Field } from '#kit/fields.ts'
import { Pagination } from '#kit/page.ts'
import { Id, IdText, Moment, Version } from '#kit/values.ts'
import { LAST_OF_PRODUCTION } from '../courses/module.ts'
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

// Replies carry content that was parsed when it was saved; to read it all again would cost more than it shows.
const StoredContent = z.custom<ContentData>((value) => typeof value === 'object' && value !== null)
const StoredComponent = z.custom<MixedComponent>((value) => typeof value === 'object' && value !== null)

/** A lesson without its content, as lists show it. */
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
  /** Ids of lessons of the same module. */
  prerequisites: z.array(Id),
  /** Ids of lessons of any module of the course. */
  references: z.array(Id),
  /** Its place in the module, from 0. */
  position: z.int(),
  /** Questions of the lesson, those of its components included. */
  questionCount: z.int(),
  /** HTML is allowed in it. */
  allowsHtml: z.boolean(),
  created_at: Moment,
  updated_at: Moment,
  version: Version,
})
export type LessonRow = z.infer<typeof LessonRow>

export const Lesson = LessonRow.extend({
  content_data: StoredContent,
  /** The components of a mixed lesson whose type was changed: they come back with the type. */
  kept_components: z.array(StoredComponent),
  /** The custom CSS of the lesson, filtered, below `.lesson-content` and the class of each component. */
  styles: z.string(),
})
/** Narrow the content with `contentOf(lesson)`. */
export type Lesson = z.infer<typeof Lesson>

/** What people edit of a lesson, in the order in which a conflict shows it. */
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

/** A lesson's type and content as a pair that TypeScript can narrow. */
export const contentOf = ({ content_type, content_data }: Pick<Lesson, 'content_type' | 'content_data'>) =>
  ({ content_type, content_data }) as TypedContent

const Content = z.custom<TypedContentInput['content_data']>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
)

/** Reads the content by its type, strictly; problems are named by their place in the content. */
function readContent(type: ContentType, data: unknown, context: z.RefinementCtx): ContentData | undefined {
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
  .min(0, 'The passing score is 0 to 100.')
  .max(100, 'The passing score is 0 to 100.')
  .nullable()
const MaxAttempts = z.int().min(1, 'At least one attempt is needed.').max(1000)
/** So often a lesson may be attempted unless told. */
export const USUAL_ATTEMPTS = 3

export const noLesson = [404, 'This lesson does not exist.'] as const
const stale = staleRefusal('this lesson', Lesson)
const fieldRefusals = {
  no_such_lesson: [422, 'The prerequisite {id} is not a lesson of this module.'],
  own_prerequisite: [422, 'A lesson cannot be its own prerequisite.'],
  prerequisite_cycle: [422, 'These prerequisites go round in a circle: {path}.'],
  no_such_reference: [422, 'The reference {id} is not a lesson of this course.'],
  own_reference: [422, 'A lesson cannot refer to itself.'],
  bad_link: [422, 'The link "{link}" cannot be used. Links begin with https:, http:, mailto: or tel:.'],
  media_host: [422, 'Media of {host} cannot be used here. Upload the file instead.'],
} as const

/** What every change of a lesson replies; `notes` say what was taken out of custom CSS. */
const changed = z.object({ success, data: Lesson, notes: z.array(StyleNote) })

/** Lessons of one course. */
export const MAX_LESSONS = 2000
const BODY_LIMIT = 4 * 1024 * 1024

export const listLessons = defineCall({
  method: 'POST',
  path: '/api/training/lessons/list',
  summary: 'The lessons of a course or of one of its modules, in their order',
  permission: 'training.manage',
  reads: true,
  body: z.strictObject({
    course_key: Key,
    module_key: Key.nullish(),
    /** False leaves the content out: a course may have hundreds of lessons. */
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
export type LessonList = ReplyOf<typeof listLessons>

export const getLesson = defineCall({
  method: 'POST',
  path: '/api/training/lessons/get',
  summary: 'One lesson with its content',
  permission: 'training.manage',
  reads: true,
  body: z.strictObject({ lesson_id: Id }),
  reply: z.object({ data: Lesson }),
  refusals: { not_found: noLesson },
})

export const createLesson = defineCall({
  method: 'POST',
  path: '/api/training/lessons/create',
  summary: 'Add a lesson at the end of a module',
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
      max_attempts: MaxAttempts.default(USUAL_ATTEMPTS),
      prerequisites: Ids.default([]),
      references: Ids.default([]),
      /** Components for when the lesson is mixed; one that is has them in its content. */
      kept_components: MixedComponents.default([]),
    })
    .transform((body, context) => ({
      ...body,
      content_data: readContent(body.content_type, body.content_data ?? {}, context) ?? {},
    })),
  reply: changed,
  refusals: {
    ...fieldRefusals,
    not_found: [404, 'This module does not exist.'],
    key_taken: [409, 'Another lesson of this module has the key "{key}".'],
    too_many: [422, 'A course has at most 2,000 lessons.'],
  },
})
export type CreateLesson = BodyOf<typeof createLesson>

const changeable = {
  /** Another module of the same course moves the lesson to its end. */
  module_key: Key.optional(),
  title: Title.optional(),
  description: OptionalDescription,
  content_type: ContentType.optional(),
  /** Without it, a change of type begins with the defaults of the new type. */
  content_data: Content.optional(),
  duration_minutes: Minutes.optional(),
  is_required: z.boolean().optional(),
  is_active: z.boolean().optional(),
  passing_score: PassingScore.optional(),
  max_attempts: MaxAttempts.optional(),
  prerequisites: Ids.optional(),
  references: Ids.optional(),
  /** Without it, a change of type keeps the components that the lesson had. */
  kept_components: MixedComponents.optional(),
  version: Version.optional(),
  course_key: Key.optional(),
  lesson_key: Key.optional(),
}

const withReadContent = <T extends { content_type?: ContentType | undefined; content_data?: unknown }>(
  body: T,
  context: z.RefinementCtx,
) => {
  if (body.content_data === undefined) return { ...body, content_data: undefined }
  if (body.content_type === undefined) {
    context.addIssue({ code: 'custom', path: ['content_type'], message: 'is required beside content_data' })
    return { ...body, content_data: undefined }
  }
  return { ...body, content_data: readContent(body.content_type, body.content_data, context) }
}

const updateRefusals = {
  ...fieldRefusals,
  not_found: noLesson,
  stale,
  other_course: [400, 'A lesson cannot move to another course.'],
  key_locked: [400, 'The key of a lesson cannot be changed.'],
  no_such_module: [422, 'The module "{key}" is not a module of this course.'],
  has_dependents: [422, 'Other lessons of its module have this lesson as a prerequisite. Remove it there first.'],
  key_taken: [409, 'Another lesson of that module has the key "{key}".'],
} as const

export const updateLesson = defineCall({
  method: 'POST',
  path: '/api/training/lessons/update',
  summary: 'Change a lesson; what is left out stays. Its key never changes',
  permission: 'training.manage',
  bodyLimit: BODY_LIMIT,
  body: z.strictObject({ lesson_id: Id, ...changeable }).transform(withReadContent),
  reply: changed,
  refusals: updateRefusals,
})
export type UpdateLesson = BodyOf<typeof updateLesson>

/** Takes a lesson as a reply gave it: what only the server makes is accepted and not looked at. */
export const putLesson = defineCall({
  method: 'PUT',
  path: '/api/training/lessons/:id',
  summary: 'Save a whole lesson, as after a change of a question or of the quiz settings',
  permission: 'training.manage',
  bodyLimit: BODY_LIMIT,
  params: z.strictObject({ id: IdText }),
  body: z
    .strictObject({
      ...changeable,
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
    .transform(withReadContent),
  reply: changed,
  refusals: { ...updateRefusals, other_id: [400, 'The id in the body is another one than in the path.'] },
})
export type PutLesson = BodyOf<typeof putLesson>

/** Appends, whatever others change meanwhile: two people who add questions at once both succeed. */
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
    not_a_quiz: [422, 'Only a quiz lesson has questions of its own.'],
    id_taken: [409, 'This quiz has a question with the same id.'],
    too_many: [422, 'A quiz has at most 200 questions.'],
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
  refusals: { not_found: noLesson, stale, last_of_production: [409, LAST_OF_PRODUCTION] },
})

export const reorderLessons = defineCall({
  method: 'POST',
  path: '/api/training/lessons/reorder',
  summary: 'Put the lessons of a module into another order',
  permission: 'training.manage',
  body: z.strictObject({
    course_key: Key,
    module_key: Key,
    /** Every lesson of the module once, in the new order. */
    lesson_ids: z.array(Id).min(1).max(MAX_LESSONS),
  }),
  reply: z.object({ success, data: z.array(Id) }),
  refusals: {
    not_found: [404, 'This module does not exist.'],
    changed: [409, changedText('these lessons')],
  },
})
