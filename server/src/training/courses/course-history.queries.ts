import { courseFields, deleteCourse, updateCourse } from '@limber/contract/training/courses/course.ts'
import { deleteModule, reorderModules, updateModule } from '@limber/contract/training/courses/module.ts'
import { MAX_LESSONS, reorderLessons } from '@limber/contract/training/lessons/lesson.ts'
import { CHANGED, type RecordHistory } from '#platform/audit/history.ts'
import { findLessons } from '../lessons/lesson.queries.ts'
import { findCourse } from './course.queries.ts'
import { findModule, findModules } from './module.queries.ts'

/** The fields of a course as the audit log names them. */
const audited: Readonly<Record<string, string>> = {
  estimated_duration_hours: 'hours',
  trainingStylesheet: 'stylesheet',
}
const courseHistoryFields = courseFields.map(({ name, ...field }) => ({
  ...field,
  name: audited[name] ?? name,
  ...(name === 'trainingStylesheet' && { isTooLarge: true as const }),
}))
const sent: Readonly<Record<string, string>> = { hours: 'estimated_duration_hours', stylesheet: 'trainingStylesheet' }

export const courseHistory: RecordHistory = {
  subject: 'course',
  async read(db, key) {
    const course = await findCourse(db, key)
    if (!course) return
    const order = (await findModules(db, course.id)).map(({ module_key }) => module_key)
    return { name: course.title, values: { ...course, order } }
  },
  fields: [
    ...courseHistoryFields,
    { name: 'theme', label: 'Theme', isTooLarge: true },
    { name: 'order', label: 'Order of modules', isTooLarge: true },
  ],
  actions: {
    course_created: 'added this course',
    course_changed: CHANGED,
    course_published: 'moved the course to production mode',
    course_withdrawn: 'took the course out of production mode',
    course_theme_changed: CHANGED,
    modules_reordered: CHANGED,
    learner_enrolled: 'enrolled a learner',
    learner_removed: 'removed a learner',
  },
  restores: [
    {
      ...{ call: updateCourse, fields: courseHistoryFields.map(({ name }) => name) },
      input: (key, values) => ({
        body: {
          course_key: key,
          ...Object.fromEntries(Object.entries(values).map(([name, value]) => [sent[name] ?? name, value])),
        },
      }),
    },
    {
      ...{ call: updateCourse, fields: ['theme'] },
      input: (key, { theme }) => ({ body: { course_key: key, metadata: { theme } } }),
    },
    {
      ...{ call: reorderModules, fields: ['order'] },
      input: (key, { order }) => ({ body: { course_key: key, module_keys: order } }),
    },
  ],
  opposites: {
    course_created: {
      call: deleteCourse,
      input: (key) => ({ body: { course_key: key } }),
      fits: ({ modules, enrolled }) => modules === 0 && enrolled === 0,
      effect: 'The course is deleted.',
    },
  },
}

function keysOf(id: string) {
  const [course_key = '', module_key = ''] = id.split('/')
  return { course_key, module_key }
}

const moduleFields = ['title', 'description', 'estimated_duration_minutes', 'is_required', 'is_active', 'prerequisites']

export const moduleHistory: RecordHistory = {
  subject: 'module',
  async read(db, id) {
    const { course_key, module_key } = keysOf(id)
    const course = await findCourse(db, course_key)
    const module = course && (await findModule(db, course.id, module_key))
    if (!module) return
    const wanted = { courseId: course.id, moduleId: module.id, withContent: false, limit: MAX_LESSONS, offset: 0 }
    const order = (await findLessons(db, wanted)).map((lesson) => lesson.id)
    return { name: module.title, values: { ...module, order } }
  },
  fields: [
    { name: 'title', label: 'Title' },
    { name: 'description', label: 'Description' },
    { name: 'estimated_duration_minutes', label: 'Minutes' },
    { name: 'is_required', label: 'Required', kind: 'flag' },
    { name: 'is_active', label: 'Active', kind: 'flag' },
    { name: 'prerequisites', label: 'Prerequisites' },
    { name: 'order', label: 'Order of lessons', isTooLarge: true },
  ],
  actions: { module_created: 'added this module', module_changed: CHANGED, lessons_reordered: CHANGED },
  restores: [
    { call: updateModule, fields: moduleFields, input: (id, values) => ({ body: { ...keysOf(id), ...values } }) },
    {
      ...{ call: reorderLessons, fields: ['order'] },
      input: (id, { order }) => ({ body: { ...keysOf(id), lesson_ids: order } }),
    },
  ],
  opposites: {
    module_created: {
      call: deleteModule,
      input: (id) => ({ body: keysOf(id) }),
      fits: ({ lessons }) => lessons === 0,
      effect: 'The module is deleted.',
    },
  },
}
