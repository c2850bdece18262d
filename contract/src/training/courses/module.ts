import { z } from 'zod'
import { changedText, defineCall, staleRefusal } from '#kit/call.ts'
import { Pagination } from '#kit/page.ts'
import { Id, Moment, Version } from '#kit/values.ts'
import { Description, Key, Minutes, NewKey, OptionalDescription, success, Title } from '../values.ts'

export const Module = z.object({
  id: Id,
  course_key: z.string(),
  module_key: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  estimated_duration_minutes: z.int().nullable(),
  /** Keys of other modules in the same course. */
  prerequisites: z.array(z.string()),
  is_required: z.boolean(),
  is_active: z.boolean(),
  lessonCount: z.int(),
  /** Zero-based position in the course. */
  position: z.int(),
  created_at: Moment,
  updated_at: Moment,
  version: Version,
})
export type Module = z.infer<typeof Module>

const noCourse = [404, 'This course does not exist.'] as const
export const noModule = [404, 'This module does not exist.'] as const
const stale = staleRefusal('this module', Module)
const prerequisiteRefusals = {
  own_prerequisite: [422, 'A module cannot be its own prerequisite.'],
  no_such_module: [422, 'The prerequisite "{key}" is not a module of this course.'],
  prerequisite_cycle: [422, 'These prerequisites form a loop: {path}.'],
} as const
export const NEEDED_IN_PRODUCTION =
  'This course is in production and needs at least one module and one lesson. Turn off production mode first.'

export const listModules = defineCall({
  method: 'POST',
  path: '/api/training/modules/list',
  summary: 'List the modules of a course, in order',
  permission: 'training.manage',
  reads: true,
  body: z.strictObject({
    course_key: Key,
    page: z.int().min(1).max(1_000_000).default(1),
    limit: z.int().min(1).max(500).default(500),
  }),
  reply: z.object({ data: z.array(Module), pagination: Pagination }),
  refusals: { not_found: noCourse },
})

const Prerequisites = z.array(Key).max(100)

export const createModule = defineCall({
  method: 'POST',
  path: '/api/training/modules/create',
  summary: 'Add a module to the end of a course',
  permission: 'training.manage',
  body: z.strictObject({
    course_key: Key,
    module_key: NewKey,
    title: Title,
    description: Description,
    estimated_duration_minutes: Minutes.default(null),
    prerequisites: Prerequisites.default([]),
    is_required: z.boolean().default(true),
    is_active: z.boolean().default(true),
  }),
  reply: z.object({ success, data: Module }),
  refusals: {
    ...prerequisiteRefusals,
    not_found: noCourse,
    key_taken: [409, 'A module with the key "{key}" already exists in this course.'],
    too_many: [422, 'A course can have at most 500 modules.'],
  },
})

export const updateModule = defineCall({
  method: 'POST',
  path: '/api/training/modules/update',
  summary: 'Update a module; omitted fields do not change. The key is permanent',
  permission: 'training.manage',
  body: z.strictObject({
    course_key: Key,
    module_key: Key,
    title: Title.optional(),
    description: OptionalDescription,
    estimated_duration_minutes: Minutes.optional(),
    prerequisites: Prerequisites.optional(),
    is_required: z.boolean().optional(),
    is_active: z.boolean().optional(),
    version: Version.optional(),
  }),
  reply: z.object({ success, data: Module }),
  refusals: { ...prerequisiteRefusals, not_found: noModule, stale },
})

export const deleteModule = defineCall({
  method: 'POST',
  path: '/api/training/modules/delete',
  summary: 'Delete a module with all its lessons, their attempts and progress',
  permission: 'training.manage',
  body: z.strictObject({ course_key: Key, module_key: Key, version: Version.optional() }),
  reply: z.object({
    success,
    data: z.object({
      course_key: z.string(),
      module_key: z.string(),
      deleted: z.object({ lessons: z.int(), attempts: z.int(), progress: z.int(), assets: z.int() }),
    }),
  }),
  refusals: { not_found: noModule, stale, last_of_production: [409, NEEDED_IN_PRODUCTION] },
})

export const reorderModules = defineCall({
  method: 'POST',
  path: '/api/training/modules/reorder',
  summary: 'Reorder the modules of a course',
  permission: 'training.manage',
  body: z.strictObject({
    course_key: Key,
    /** All modules of the course, each once, in the new order. */
    module_keys: z.array(Key).min(1).max(500),
  }),
  reply: z.object({ success, data: z.array(z.string()) }),
  refusals: {
    not_found: noCourse,
    changed: [409, changedText('these modules')],
  },
})
