import { sql } from 'kysely'
import { type Input, type Inputs, type InputTools, lone } from '#platform/testing/testing.inputs.ts'

export function trainingInputs({ db, mostFrequent, first, to, withBody, naming, fresh }: InputTools): Inputs {
  const courseKey = async () => {
    const id = await mostFrequent('training_lessons', 'course_id')
    return (await first<{ key: string }>(sql`select course_key as key from training_courses where id = ${id}`)).key
  }
  const ofCourse =
    (more: object = {}) =>
    async (): Promise<Input> => ({ body: { course_key: await courseKey(), ...more } })
  const moduleOf = (course: string) =>
    first<{ key: string; id: number }>(sql`
      select m.module_key as key, m.id from training_modules m join training_courses c on c.id = m.course_id
      where c.course_key = ${course} order by (select count(*) from training_lessons l where l.module_id = m.id) desc`)
  /** A learner who may take a quiz once more. */
  const quizTaker = async () => {
    const learner = await first<{ user_id: number; lesson_id: number; component: number | null }>(sql`
      select customer_id as user_id, lesson_id, nullif(component, -1) as component from training_attempts a where not exists (
        select from training_attempts p where p.lesson_id = a.lesson_id and p.customer_id = a.customer_id and p.is_passed)
      order by id desc`)
    await sql`insert into training_extra_attempts (lesson_id, customer_id, component, extra)
      values (${learner.lesson_id}, ${learner.user_id}, ${learner.component ?? -1}, 1)
      on conflict (lesson_id, customer_id, component) do update set extra = training_extra_attempts.extra + 1`.execute(
      db,
    )
    return learner
  }
  return {
    'GET /api/training/figures/:figure': async () => ({
      params: { figure: 'attempts' },
      query: { course_key: await courseKey() },
    }),
    'POST /api/training/courses/get': ofCourse(),
    'POST /api/training/courses/readiness': ofCourse(),
    'POST /api/training/courses/analytics': ofCourse(),
    'POST /api/training/modules/list': ofCourse(),
    'POST /api/training/lessons/list': ofCourse(),
    'POST /api/training/enrolments/list': ofCourse(),
    'POST /api/training/enrolments/candidates': ofCourse({ search: 'a' }),
    'POST /api/training/lessons/get': withBody('lesson_id', 'training_lessons', 'id'),
    'POST /api/training/assets/usage': withBody('asset_id', 'training_assets', 'id'),
    'POST /api/training/courses/create': async () => ({ body: { course_key: fresh('course-'), title: 'Hips' } }),
    'POST /api/training/courses/update': async () => ({
      body: { course_key: await courseKey(), title: fresh('Hips ') },
    }),
    'POST /api/training/courses/delete': async () => ({
      body: {
        course_key: (
          await first<{ key: string }>(sql`select course_key as key from training_courses c where not is_active
            and not exists (select from training_course_prerequisites p where p.requires_id = c.id) order by id desc`)
        ).key,
      },
    }),
    'POST /api/training/update-course-theme': ofCourse({ theme: { primaryColor: '#0f7b6c' } }),
    'POST /api/training/modules/create': async () => ({
      body: { course_key: await courseKey(), module_key: fresh('module-'), title: 'Warm up' },
    }),
    'POST /api/training/modules/update': async () => {
      const course_key = await courseKey()
      return { body: { course_key, module_key: (await moduleOf(course_key)).key, title: fresh('Warm up ') } }
    },
    'POST /api/training/modules/reorder': async () => {
      const course_key = await courseKey()
      const { rows } = await sql<{ key: string }>`
        select m.module_key as key from training_modules m join training_courses c on c.id = m.course_id
        where c.course_key = ${course_key} order by m.position desc`.execute(db)
      return { body: { course_key, module_keys: rows.map(({ key }) => key) } }
    },
    'POST /api/training/modules/delete': async () => {
      const row = await first<{ course_key: string; module_key: string }>(sql`
        select c.course_key, m.module_key from training_modules m join training_courses c on c.id = m.course_id
        where not exists (select from training_lessons l where l.module_id = m.id) order by m.id desc`)
      return { body: row }
    },
    'POST /api/training/lessons/create': async () => {
      const course_key = await courseKey()
      const { key } = await moduleOf(course_key)
      return {
        body: { course_key, module_key: key, lesson_key: fresh('lesson-'), title: 'Neck', content_type: 'text' },
      }
    },
    'POST /api/training/lessons/update': naming('lesson_id', sql`select id from training_lessons order by id`, {
      title: 'Necks',
    }),
    'PUT /api/training/lessons/:id': async () => {
      const { id, ...row } = await first<{ id: number } & Record<string, unknown>>(
        sql`select id, title, content_type, content as content_data from training_lessons where content_type = 'quiz' order by id`,
      )
      return { params: { id: String(id) }, body: row }
    },
    'POST /api/training/lessons/:id/questions': to(
      sql`select id from training_lessons where content_type = 'quiz' order by id desc`,
      { id: fresh('q'), type: 'true_false', trainingQuizQuestion: 'Breathe out?', correctAnswer: 0 },
    ),
    'POST /api/training/lessons/delete': naming(
      'lesson_id',
      sql`select id from training_lessons l where not exists (select from training_progress p where p.lesson_id = l.id)
        and not exists (select from training_lesson_prerequisites p where p.requires_id = l.id) order by id desc`,
    ),
    'POST /api/training/lessons/reorder': async () => {
      const course_key = await courseKey()
      const { key, id } = await moduleOf(course_key)
      const { rows } = await sql<{ id: number }>`
        select id from training_lessons where module_id = ${id} order by position desc`.execute(db)
      return { body: { course_key, module_key: key, lesson_ids: rows.map((row) => row.id) } }
    },
    'POST /api/training/assets/delete': withBody('asset_id', 'training_assets', 'id'),
    'POST /api/training/enrolments/create': async () => ({
      body: { course_key: await courseKey(), user_id: (await first(sql`${lone} order by id desc`)).id },
    }),
    'POST /api/training/enrolments/remove': async () => {
      const row = await first<{ course_key: string; user_id: number }>(sql`
        select c.course_key, e.customer_id as user_id from training_enrolments e join training_courses c on c.id = e.course_id
        order by e.customer_id desc`)
      return { body: row }
    },
    'POST /api/training/progress': async () => {
      const row = await first<{ user_id: number; lesson_id: number }>(
        sql`select customer_id as user_id, lesson_id from training_progress order by customer_id desc`,
      )
      return { body: { ...row, state: 'started', seconds: 30 } }
    },
    'POST /api/training/attempts/grant': async () => ({
      body: await first<{ lesson_id: number; user_id: number }>(
        sql`select lesson_id, customer_id as user_id, nullif(component, -1) as component from training_attempts a where not exists (
          select from training_attempts p where p.lesson_id = a.lesson_id and p.customer_id = a.customer_id and p.is_passed)
          order by id desc`,
      ),
    }),
    'POST /api/training/attempts/start': async () => ({ body: await quizTaker() }),
    'POST /api/training/attempts': async () => ({
      body: {
        ...(await first<{ user_id: number; attempt_id: number }>(
          sql`select customer_id as user_id, id as attempt_id from training_attempts where submitted_at is null order by id desc`,
        )),
        answers: [],
      },
    }),
  }
}
