import { deleteLesson, lessonFields, updateLesson } from '@limber/contract/training/lessons/lesson.ts'
import { sql } from 'kysely'
import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'
import { findLesson } from './lesson.queries.ts'

const lessonNames = (ids: readonly number[]) =>
  sql`select id, title from training_lessons where id = any(${ids}::bigint[])`

const linked: ReadonlySet<string> = new Set(['prerequisites', 'references'])
const contentFields = ['content_type', 'content_data', 'kept_components']

export const lessonHistory: RecordHistory = {
  subject: 'lesson',
  async read(db, id) {
    const lesson = await findLesson(db, numericId(id))
    return lesson && { name: lesson.title, values: { ...lesson, content_data: lesson.content } }
  },
  fields: [
    ...lessonFields.map((field) => ({
      ...field,
      ...(linked.has(field.name) && { names: lessonNames }),
      ...(field.name === 'content_data' && { isTooLarge: true as const }),
    })),
    { name: 'kept_components', label: 'Kept components', isTooLarge: true },
  ],
  actions: {
    lesson_created: 'added this lesson',
    lesson_changed: CHANGED,
    question_added: 'added a question',
    attempt_granted: 'granted a learner another attempt',
  },
  restores: [
    {
      ...{
        call: updateLesson,
        fields: lessonFields.map(({ name }) => name).filter((name) => !contentFields.includes(name)),
      },
      input: (id, values) => ({ body: { lesson_id: Number(id), ...values } }),
    },
    {
      ...{ call: updateLesson, fields: contentFields },
      // Content is parsed by its type, so they go together.
      input: (id, values, now) => ({
        body: {
          ...{ lesson_id: Number(id), content_type: now.content_type, content_data: now.content_data },
          ...values,
          ...('kept_components' in values && { kept_components: values.kept_components ?? [] }),
        },
      }),
    },
  ],
  opposites: {
    lesson_created: {
      call: deleteLesson,
      input: (id) => ({ body: { lesson_id: Number(id) } }),
      fits: ({ version }) => version === 1,
      effect: 'The lesson is deleted.',
    },
  },
}
