import { paginate } from '@limber/contract/kit/page.ts'
import {
  createCourse,
  deleteCourse,
  getCourse,
  listCourses,
  updateCourse,
  updateCourseTheme,
} from '@limber/contract/training/courses/course.ts'
import { COURSE_CLASS } from '@limber/contract/training/lessons/content.ts'
import { MAX_LESSONS } from '@limber/contract/training/lessons/lesson.ts'
import { completeTheme, type Theme, type ThemeInput, themeProblem } from '@limber/contract/training/theme/theme.ts'
import type { StyleNote } from '@limber/contract/training/values.ts'
import type { Db } from '#platform/db/db.ts'
import { containing } from '#platform/db/like.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { deleteFilesAfterCommit } from '../assets/files.ts'
import { endTraining } from '../learners/end-training.ts'
import { findTrainees } from '../learners/enrollment.queries.ts'
import { presentLesson } from '../lessons/lesson.present.ts'
import { type FullLesson, findLessons } from '../lessons/lesson.queries.ts'
import { createCleaner } from '../theme/style-thread.ts'
import { presentCourse } from './course.present.ts'
import {
  type CourseChange,
  type CourseRecord,
  countDeletedWithCourse,
  findCourse,
  findCourses,
  insertCourse,
  lockCourse,
  lockPrerequisites,
  readCourseRequirements,
  removeCourse,
  saveCourse,
  setCoursePrerequisites,
} from './course.queries.ts'
import { presentModule } from './module.present.ts'
import { findCourseWithModules } from './module.queries.ts'
import { omitUndefined } from './omit-undefined.ts'
import { findPrerequisiteFault } from './prerequisite.rules.ts'

async function show(db: Db, key: string) {
  const course = await findCourse(db, key)
  if (!course) throw refuse(getCourse, 'not_found')
  return presentCourse(course)
}

/** The filtered and scoped styles of a course (theme and stylesheet), with notes on what was removed. */
async function prepareStyles(
  call: typeof createCourse | typeof updateCourse | typeof updateCourseTheme,
  wanted: { stylesheet: string; theme: ThemeInput | null },
) {
  const problem = wanted.theme && themeProblem(wanted.theme)
  if (problem)
    throw refuse(call, 'bad_theme', {
      values: { text: problem.text },
      fields: [{ path: `theme.${problem.field}`, text: problem.text }],
    })
  const notes: StyleNote[] = []
  const theme = wanted.theme && completeTheme(wanted.theme)
  const sources = [theme?.customCSS ?? '', wanted.stylesheet] as const
  const read = await createCleaner(sources.map((source) => ({ source, scope: COURSE_CLASS })))
  const clean = (source: string) => {
    const cleaned = read(source, COURSE_CLASS)
    notes.push(...cleaned.notes)
    return cleaned
  }
  const [ofTheme, own] = [clean(sources[0]), clean(sources[1])]
  const saved: Theme | null = theme && { ...theme, customCSS: ofTheme.source }
  return {
    change: {
      theme: saved && JSON.stringify(saved),
      stylesheet: own.source,
      styles: ofTheme.scoped + own.scoped,
    } satisfies CourseChange,
    notes,
  }
}

async function checkPrerequisites(
  call: typeof createCourse | typeof updateCourse,
  db: Db,
  of: { key: string; title: string },
  wanted: readonly string[],
) {
  await lockPrerequisites(db)
  const nodes = (await readCourseRequirements(db)).map(({ course, ...rest }) => ({ key: course, ...rest }))
  const fault = findPrerequisiteFault(nodes, of, wanted)
  if (fault?.code === 'own') throw refuse(call, 'own_prerequisite')
  if (fault?.code === 'unknown') throw refuse(call, 'no_such_course', { values: { key: fault.key } })
  if (fault?.code === 'cycle') throw refuse(call, 'prerequisite_cycle', { values: { path: fault.path } })
}

const longFields = (before: CourseRecord, after: CourseRecord) => ({
  before: { stylesheet: before.stylesheet, theme: before.theme },
  after: { stylesheet: after.stylesheet, theme: after.theme },
})

/** The audited fields of a course, without its styles, which are long. */
const auditedFields = ({
  title,
  description,
  difficulty_level,
  hours,
  is_required,
  is_active,
  prerequisites,
}: CourseRecord) => ({
  title,
  description,
  difficulty_level,
  hours,
  is_required,
  is_active,
  prerequisites,
})

export const courseRoutes = [
  serve(listCourses, async ({ body: { search, page, limit }, db, services }) => {
    const pattern = search.trim() === '' ? undefined : containing(search.trim())
    const { total, rows } = await findCourses(db, { pattern, limit, offset: (page - 1) * limit })
    const mediaHosts = [...services.config.mediaHosts]
    return { data: rows.map(presentCourse), pagination: paginate(page, limit, total), mediaHosts }
  }),

  serve(getCourse, async ({ body, db }) => {
    const found = await findCourseWithModules(db, body.course_key)
    if (!found) throw refuse(getCourse, 'not_found')
    const wanted = { courseId: found.course.id, withContent: true, limit: MAX_LESSONS, offset: 0 }
    const lessons = await findLessons(db, wanted)
    return {
      data: {
        course: presentCourse(found.course),
        modules: found.modules.map(presentModule),
        lessons: (lessons as FullLesson[]).map(presentLesson),
      },
    }
  }),

  serve(createCourse, async ({ body, db, now, audit, publish }) => {
    const { course_key, prerequisites, is_active, trainingStylesheet, metadata, ...fields } = body
    // A new course is empty, so it cannot start in production.
    if (is_active) throw refuse(createCourse, 'cannot_activate')
    const stylesheet = trainingStylesheet ?? metadata?.trainingStylesheet ?? ''
    const { change, notes } = await prepareStyles(createCourse, { stylesheet, theme: metadata?.theme ?? null })
    if (prerequisites.length > 0)
      await checkPrerequisites(createCourse, db, { key: course_key, title: fields.title }, prerequisites)
    const id = await insertCourse(db, course_key, { ...fields, ...change }, now)
    if (id === undefined) throw refuse(createCourse, 'key_taken', { values: { key: course_key } })
    if (prerequisites.length > 0) await setCoursePrerequisites(db, id, prerequisites)
    audit({ action: 'course_created', subject: 'course', subjectId: course_key, after: { ...fields, prerequisites } })
    publish('training', { course: course_key })
    return { success: true, data: await show(db, course_key), notes }
  }).expecting({ training_course_prerequisites_requires_id_fkey: 'conflict' }),

  serve(updateCourse, async ({ body, db, now, audit, publish, emit }) => {
    const before = await loadForUpdate(updateCourse, lockCourse(db, body.course_key), body.version, presentCourse)
    const { course_key, version: _, prerequisites, trainingStylesheet, metadata, ...fields } = body
    if (fields.is_active && (before.modules === 0 || before.lessons === 0))
      throw refuse(updateCourse, 'cannot_activate')
    const sheet = trainingStylesheet ?? metadata?.trainingStylesheet
    const theme = metadata?.theme
    const isDressed = (sheet !== undefined && sheet !== before.stylesheet) || theme !== undefined
    const { change, notes } = isDressed
      ? await prepareStyles(updateCourse, {
          stylesheet: sheet ?? before.stylesheet,
          theme: theme === undefined ? before.theme : theme,
        })
      : { change: {}, notes: [] }
    if (prerequisites) {
      const of = { key: course_key, title: fields.title ?? before.title }
      await checkPrerequisites(updateCourse, db, of, prerequisites)
      await setCoursePrerequisites(db, before.id, prerequisites)
    }
    await saveCourse(db, before.id, { ...omitUndefined(fields), ...change }, now)
    const after = await findCourse(db, course_key)
    if (!after) throw refuse(updateCourse, 'not_found')
    const action =
      after.is_active === before.is_active
        ? 'course_changed'
        : after.is_active
          ? 'course_published'
          : 'course_withdrawn'
    audit({
      action,
      subject: 'course',
      subjectId: course_key,
      before: auditedFields(before),
      after: auditedFields(after),
      long: longFields(before, after),
    })
    if (before.is_required && !after.is_required)
      await endTraining({ db, now, audit, publish, emit }, await findTrainees(db, before.id))
    publish('training', { course: course_key })
    return { success: true, data: presentCourse(after), notes }
  }).expecting({ training_course_prerequisites_requires_id_fkey: 'conflict' }),

  serve(deleteCourse, async ({ body, db, now, audit, publish, enqueue, emit }) => {
    const course = await loadForUpdate(deleteCourse, lockCourse(db, body.course_key), body.version, presentCourse)
    if (course.is_active && course.enrolled > 0 && body.confirm_title?.trim() !== course.title)
      throw refuse(deleteCourse, 'confirm_title')
    const trainees = await findTrainees(db, course.id)
    const deleted = await countDeletedWithCourse(db, course.id)
    deleteFilesAfterCommit({ enqueue }, await removeCourse(db, course.id))
    audit({
      action: 'course_deleted',
      subject: 'course',
      subjectId: course.course_key,
      before: { ...auditedFields(course), ...deleted, enrolled: course.enrolled },
    })
    await endTraining({ db, now, audit, publish, emit }, trainees)
    publish('training', { course: course.course_key })
    return { success: true, data: { course_key: course.course_key, deleted } }
  }),

  serve(updateCourseTheme, async ({ body, db, now, audit, publish }) => {
    const before = await loadForUpdate(updateCourseTheme, lockCourse(db, body.course_key), body.version, presentCourse)
    const { change, notes } = await prepareStyles(updateCourseTheme, {
      stylesheet: before.stylesheet,
      theme: body.theme,
    })
    await saveCourse(db, before.id, change, now)
    const after = await findCourse(db, body.course_key)
    if (!after) throw refuse(updateCourseTheme, 'not_found')
    audit({
      action: 'course_theme_changed',
      subject: 'course',
      subjectId: body.course_key,
      long: longFields(before, after),
    })
    publish('training', { course: body.course_key })
    return { success: true, data: presentCourse(after), notes }
  }),
]
