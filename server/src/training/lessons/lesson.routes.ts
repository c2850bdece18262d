import { paginate } from '@limber/contract/kit/page.ts'
import type { ContentData, ContentOf } from '@limber/contract/training/lessons/content.ts'
import {
  addQuestion,
  createLesson,
  deleteLesson,
  getLesson,
  listLessons,
  MAX_LESSONS,
  putLesson,
  reorderLessons,
  updateLesson,
} from '@limber/contract/training/lessons/lesson.ts'
import { MAX_QUESTIONS } from '@limber/contract/training/lessons/question.ts'
import type { Db } from '#platform/db/db.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Context, serve } from '#platform/http/routes.ts'
import { deleteFilesAfterCommit } from '../assets/files.ts'
import { findCourse, lockCourse } from '../courses/course.queries.ts'
import { findModule } from '../courses/module.queries.ts'
import { filesIn } from './content.rules.ts'
import { presentLesson, presentLessonRow } from './lesson.present.ts'
import {
  countDeletedWithLesson,
  countOtherLessons,
  type FullLesson,
  findLesson,
  findLessons,
  insertLesson,
  lockLesson,
  removeLesson,
  removeOwnAssets,
  saveLesson,
  setAssetUses,
  setLessonOrder,
  setLessonPrerequisites,
  setLessonReferences,
} from './lesson.queries.ts'
import { changeLesson, checkRelations, columnsOf, prepare, prepareKept, withComponentIds } from './save-lesson.ts'

async function show(db: Db, id: number) {
  const lesson = await findLesson(db, id)
  if (!lesson) throw refuse(getLesson, 'not_found')
  return presentLesson(lesson)
}

const longFields = ({ content, kept_components }: FullLesson) => ({ content_data: content, kept_components })

/** The audited fields of a lesson. Content is long, so only its size is recorded here. */
const auditedFields = (lesson: FullLesson) => ({
  title: lesson.title,
  description: lesson.description,
  module_key: lesson.module_key,
  content_type: lesson.content_type,
  characters: JSON.stringify(lesson.content).length,
  questions: lesson.question_count,
  duration_minutes: lesson.duration_minutes,
  passing_score: lesson.passing_score,
  max_attempts: lesson.max_attempts,
  is_required: lesson.is_required,
  is_active: lesson.is_active,
  prerequisites: lesson.prerequisites,
  references: lesson.references,
})

/** Saves a change and replies with the updated lesson. */
async function change<C extends typeof updateLesson | typeof putLesson>(call: C, context: Context<C>, id: number) {
  const { db, now, audit, publish, services } = context as Context<typeof updateLesson>
  const body = context.body as Context<typeof updateLesson>['body']
  const before = await loadForUpdate(updateLesson, lockLesson(db, id), body.version, presentLesson)
  const notes = await changeLesson(call, db, before, body, { now, mediaHosts: services.config.mediaHosts })
  const after = await findLesson(db, id)
  if (!after) throw refuse(getLesson, 'not_found')
  audit({
    action: 'lesson_changed',
    subject: 'lesson',
    subjectId: id,
    before: auditedFields(before),
    after: auditedFields(after),
    long: { before: longFields(before), after: longFields(after) },
  })
  publish('training', { course: before.course_key, lesson: id })
  return { success: true as const, data: presentLesson(after), notes }
}

export const lessonRoutes = [
  serve(listLessons, async ({ body: { course_key, module_key, with_content, page, limit }, db }) => {
    const course = await findCourse(db, course_key)
    if (!course) throw refuse(listLessons, 'not_found')
    const module = module_key ? await findModule(db, course.id, module_key) : undefined
    if (module_key && !module) throw refuse(listLessons, 'no_module')
    const rows = await findLessons(db, {
      courseId: course.id,
      moduleId: module?.id,
      withContent: with_content,
      limit,
      offset: (page - 1) * limit,
    })
    return {
      data: rows.map((row) => (with_content ? presentLesson(row as FullLesson) : presentLessonRow(row))),
      pagination: paginate(page, limit, module?.lessons ?? course.lessons),
    }
  }),

  serve(getLesson, async ({ body, db }) => ({ data: await show(db, body.lesson_id) })),

  serve(createLesson, async ({ body, db, now, audit, publish, services }) => {
    const { course_key, module_key, lesson_key, content_type, content_data, ...rest } = body
    const { prerequisites, references, kept_components, ...fields } = rest
    const course = await lockCourse(db, course_key)
    const module = course && (await findModule(db, course.id, module_key))
    if (!course || !module) throw refuse(createLesson, 'not_found')
    if (course.lessons >= MAX_LESSONS) throw refuse(createLesson, 'too_many')
    const place = { courseId: course.id, moduleId: module.id, lesson: { id: undefined, title: fields.title } }
    await checkRelations(createLesson, db, place, { prerequisites, references })
    const { mediaHosts } = services.config
    const content = withComponentIds(content_data as ContentData, [], now)
    const saved = await prepare(createLesson, content_type, content, mediaHosts)
    const waiting = content_type === 'mixed' ? [] : kept_components
    const kept = await prepareKept(createLesson, waiting, [], { now, mediaHosts })
    const id = await insertLesson(
      db,
      { course_id: course.id, module_id: module.id, lesson_key },
      { ...fields, ...columnsOf(content_type, saved), ...(kept && { kept_components: JSON.stringify(kept) }) },
      now,
    )
    if (id === undefined) throw refuse(createLesson, 'key_taken', { values: { key: lesson_key } })
    if (prerequisites.length > 0) await setLessonPrerequisites(db, id, module.id, prerequisites)
    if (references.length > 0) await setLessonReferences(db, id, course.id, references)
    const uses = { shown: saved.files, kept: filesIn(kept) }
    if (uses.shown.length + uses.kept.length > 0) await setAssetUses(db, id, uses)
    audit({
      action: 'lesson_created',
      subject: 'lesson',
      subjectId: id,
      after: { course_key, module_key, lesson_key, title: fields.title, content_type },
    })
    publish('training', { course: course_key, lesson: id })
    return { success: true, data: await show(db, id), notes: saved.notes }
  }).expecting({ training_asset_uses_asset_id_fkey: 'conflict' }),

  serve(updateLesson, (context) => change(updateLesson, context, context.body.lesson_id)).expecting({
    training_asset_uses_asset_id_fkey: 'conflict',
  }),

  serve(putLesson, (context) => {
    if (context.body.id !== undefined && context.body.id !== context.params.id) throw refuse(putLesson, 'other_id')
    return change(putLesson, context, context.params.id)
  }).expecting({ training_asset_uses_asset_id_fkey: 'conflict' }),

  serve(addQuestion, async ({ params: { id }, body: question, db, now, audit, publish }) => {
    const lesson = await lockLesson(db, id)
    if (!lesson) throw refuse(addQuestion, 'not_found')
    if (lesson.content_type !== 'quiz') throw refuse(addQuestion, 'not_a_quiz')
    const content = lesson.content as ContentOf<'quiz'>
    if (content.questions.length >= MAX_QUESTIONS) throw refuse(addQuestion, 'too_many')
    if (content.questions.some((other) => other.id === question.id)) throw refuse(addQuestion, 'id_taken')
    const questions = [...content.questions, question]
    await saveLesson(
      db,
      id,
      { content: JSON.stringify({ ...content, questions }), question_count: questions.length },
      now,
    )
    audit({
      action: 'question_added',
      subject: 'lesson',
      subjectId: id,
      after: { question: question.id },
      long: { before: { content_data: content }, after: { content_data: { ...content, questions } } },
    })
    publish('training', { course: lesson.course_key, lesson: id })
    return { success: true, data: await show(db, id), notes: [] }
  }),

  serve(deleteLesson, async ({ body: { lesson_id, version }, db, audit, publish, enqueue }) => {
    const lesson = await loadForUpdate(deleteLesson, lockLesson(db, lesson_id), version, presentLesson)
    const course = await findCourse(db, lesson.course_key)
    if (course?.is_active && (await countOtherLessons(db, course.id, { lessonId: lesson_id })) === 0)
      throw refuse(deleteLesson, 'last_of_production')
    const counts = await countDeletedWithLesson(db, lesson_id)
    const files = await removeOwnAssets(db, { lessonId: lesson_id })
    deleteFilesAfterCommit({ enqueue }, files)
    await removeLesson(db, lesson_id)
    const deleted = { ...counts, assets: files.length }
    audit({
      action: 'lesson_deleted',
      subject: 'lesson',
      subjectId: lesson_id,
      before: { ...auditedFields(lesson), ...deleted },
    })
    publish('training', { course: lesson.course_key, lesson: lesson_id })
    return { success: true, data: { lesson_id, deleted } }
  }),

  serve(reorderLessons, async ({ body: { course_key, module_key, lesson_ids }, db, audit, publish }) => {
    const course = await lockCourse(db, course_key)
    const module = course && (await findModule(db, course.id, module_key))
    if (!course || !module) throw refuse(reorderLessons, 'not_found')
    const wanted = { courseId: course.id, moduleId: module.id, withContent: false, limit: MAX_LESSONS, offset: 0 }
    const before = (await findLessons(db, wanted)).map(({ id }) => id)
    const after = new Set(lesson_ids)
    if (after.size !== lesson_ids.length || before.length !== after.size || !before.every((id) => after.has(id)))
      throw refuse(reorderLessons, 'changed')
    await setLessonOrder(db, module.id, lesson_ids)
    audit({
      action: 'lessons_reordered',
      subject: 'module',
      subjectId: `${course_key}/${module_key}`,
      before: { order: before },
      after: { order: lesson_ids },
    })
    publish('training', { course: course_key })
    return { success: true, data: lesson_ids }
  }),
]
