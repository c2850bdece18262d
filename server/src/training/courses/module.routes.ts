import { paginate } from '@limber/contract/kit/page.ts'
import {
  createModule,
  deleteModule,
  listModules,
  reorderModules,
  updateModule,
} from '@limber/contract/training/courses/module.ts'
import type { Db } from '#platform/db/db.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { deleteFilesAfterCommit } from '../assets/files.ts'
import { countOtherLessons, removeOwnAssets } from '../lessons/lesson.queries.ts'
import { findCourse, lockCourse } from './course.queries.ts'
import { presentModule } from './module.present.ts'
import {
  countDeletedWithModule,
  findModule,
  findModules,
  insertModule,
  type ModuleRecord,
  readModuleRequirements,
  removeModule,
  saveModule,
  setModuleOrder,
  setModulePrerequisites,
} from './module.queries.ts'
import { omitUndefined } from './omit-undefined.ts'
import { findPrerequisiteFault } from './prerequisite.rules.ts'

const MAX_MODULES = 500

interface ModuleKeys {
  course_key: string
  module_key: string
  version?: number | undefined
}

/** The module, with its course locked. */
async function lockModule(
  call: typeof updateModule | typeof deleteModule,
  db: Db,
  { course_key, module_key, version }: ModuleKeys,
) {
  const course = await lockCourse(db, course_key)
  if (!course) throw refuse(call, 'not_found')
  const module = await loadForUpdate(call, findModule(db, course.id, module_key), version, presentModule)
  return { course, module }
}

async function checkPrerequisites(
  call: typeof createModule | typeof updateModule,
  db: Db,
  courseId: number,
  of: { key: string; title: string },
  wanted: readonly string[],
) {
  const fault = findPrerequisiteFault(await readModuleRequirements(db, courseId), of, wanted)
  if (fault?.code === 'own') throw refuse(call, 'own_prerequisite')
  if (fault?.code === 'unknown') throw refuse(call, 'no_such_module', { values: { key: fault.key } })
  if (fault?.code === 'cycle') throw refuse(call, 'prerequisite_cycle', { values: { path: fault.path } })
}

async function show(db: Db, courseId: number, key: string) {
  const module = await findModule(db, courseId, key)
  if (!module) throw refuse(updateModule, 'not_found')
  return module
}

const auditedFields = ({
  title,
  description,
  estimated_duration_minutes,
  is_required,
  is_active,
  prerequisites,
  position,
}: ModuleRecord) => ({
  title,
  description,
  estimated_duration_minutes,
  is_required,
  is_active,
  prerequisites,
  position,
})

const subjectOf = ({ course_key, module_key }: ModuleKeys) => `${course_key}/${module_key}`

export const moduleRoutes = [
  serve(listModules, async ({ body: { course_key, page, limit }, db }) => {
    const course = await findCourse(db, course_key)
    if (!course) throw refuse(listModules, 'not_found')
    const rows = await findModules(db, course.id, { limit, offset: (page - 1) * limit })
    return { data: rows.map(presentModule), pagination: paginate(page, limit, course.modules) }
  }),

  serve(createModule, async ({ body, db, now, audit, publish }) => {
    const { course_key, module_key, prerequisites, ...fields } = body
    const course = await lockCourse(db, course_key)
    if (!course) throw refuse(createModule, 'not_found')
    if (course.modules >= MAX_MODULES) throw refuse(createModule, 'too_many')
    await checkPrerequisites(createModule, db, course.id, { key: module_key, title: fields.title }, prerequisites)
    const id = await insertModule(db, course.id, module_key, fields, now)
    if (id === undefined) throw refuse(createModule, 'key_taken', { values: { key: module_key } })
    if (prerequisites.length > 0) await setModulePrerequisites(db, course.id, id, prerequisites)
    const module = await show(db, course.id, module_key)
    audit({ action: 'module_created', subject: 'module', subjectId: subjectOf(body), after: auditedFields(module) })
    publish('training', { course: course_key })
    return { success: true, data: presentModule(module) }
  }),

  serve(updateModule, async ({ body, db, now, audit, publish }) => {
    const { course, module: before } = await lockModule(updateModule, db, body)
    const { course_key, module_key, version: _, prerequisites, ...fields } = body
    if (prerequisites) {
      const of = { key: module_key, title: fields.title ?? before.title }
      await checkPrerequisites(updateModule, db, course.id, of, prerequisites)
      await setModulePrerequisites(db, course.id, before.id, prerequisites)
    }
    await saveModule(db, before.id, omitUndefined(fields), now)
    const after = await show(db, course.id, module_key)
    audit({
      action: 'module_changed',
      subject: 'module',
      subjectId: subjectOf(body),
      before: auditedFields(before),
      after: auditedFields(after),
    })
    publish('training', { course: course_key })
    return { success: true, data: presentModule(after) }
  }),

  serve(deleteModule, async ({ body, db, audit, publish, enqueue }) => {
    const { course, module } = await lockModule(deleteModule, db, body)
    if (course.is_active && (await countOtherLessons(db, course.id, { moduleId: module.id })) === 0)
      throw refuse(deleteModule, 'last_of_production')
    const counts = await countDeletedWithModule(db, module.id)
    const files = await removeOwnAssets(db, { moduleId: module.id })
    deleteFilesAfterCommit({ enqueue }, files)
    await removeModule(db, module.id)
    const deleted = { ...counts, assets: files.length }
    audit({
      action: 'module_deleted',
      subject: 'module',
      subjectId: subjectOf(body),
      before: { ...auditedFields(module), ...deleted },
    })
    publish('training', { course: course.course_key })
    return { success: true, data: { course_key: course.course_key, module_key: module.module_key, deleted } }
  }),

  serve(reorderModules, async ({ body: { course_key, module_keys }, db, audit, publish }) => {
    const course = await lockCourse(db, course_key)
    if (!course) throw refuse(reorderModules, 'not_found')
    const before = (await findModules(db, course.id)).map(({ module_key }) => module_key)
    const isSame = new Set(module_keys).size === module_keys.length && before.length === module_keys.length
    if (!isSame || !before.every((key) => module_keys.includes(key))) throw refuse(reorderModules, 'changed')
    await setModuleOrder(db, course.id, module_keys)
    audit({
      action: 'modules_reordered',
      subject: 'course',
      subjectId: course_key,
      before: { order: before },
      after: { order: module_keys },
    })
    publish('training', { course: course_key })
    return { success: true, data: module_keys }
  }),
]
