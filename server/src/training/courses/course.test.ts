// @module-tag slow
import {
  CANNOT_ACTIVATE,
  checkReadiness,
  createCourse,
  deleteCourse,
  getCourse,
  listCourses,
  updateCourse,
  updateCourseTheme,
} from '@limber/contract/training/courses/course.ts'
import { createModule, deleteModule } from '@limber/contract/training/courses/module.ts'
import { enrollLearner } from '@limber/contract/training/learners/enrollment.ts'
import { defaultContent } from '@limber/contract/training/lessons/content.ts'
import { createLesson, deleteLesson } from '@limber/contract/training/lessons/lesson.ts'
import { defaultTheme } from '@limber/contract/training/theme/theme.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { draftQuestion, makeCourse, makeLesson, makeModule } from '../training.factory.ts'

let server: TestServer
let author: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  author = server.as('training.manage')
})
afterAll(() => server.stop())

const create = (body: object) => author.send(createCourse, { body: body as never })
const update = (body: object) => author.send(updateCourse, { body: body as never })
const count = async () => (await server.db.selectFrom('training_courses').select('id').execute()).length

describe('POST /api/training/courses/create', () => {
  it('creates a course in development, with a slug as key and a capitalized title', async () => {
    const reply = await create({ course_key: '  Session   Flow 101! ', title: 'the flow of a session' })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body.data).toMatchObject({
      course_key: 'session_flow_101',
      title: 'The Flow Of A Session',
      description: null,
      difficulty_level: 'beginner',
      estimated_duration_hours: null,
      is_required: false,
      is_active: false,
      prerequisites: [],
      trainingStylesheet: '',
      metadata: { theme: null, trainingStylesheet: '' },
      moduleCount: 0,
      lessonCount: 0,
      version: 1,
    })
    const audited = await server.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject_id', '=', 'session_flow_101')
      .execute()
    expect(audited).toEqual([{ action: 'course_created' }])
  })
  it('stores half hours, prerequisites and a filtered stylesheet', async () => {
    const { course_key } = await makeCourse(server.db)
    const reply = await create({
      course_key: 'deep',
      title: 'Deep',
      estimated_duration_hours: 2.5,
      prerequisites: [course_key],
      trainingStylesheet: '.portal-card { color: red }\n@import "https://evil.example/x.css";',
    })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body.data).toMatchObject({ estimated_duration_hours: 2.5, prerequisites: [course_key] })
    expect(reply.body.data.trainingStylesheet).toBe('.portal-card { color: red }\n')
    expect(reply.body.data.styles).toBe('.course-content .portal-card{color:red}')
    expect(reply.body.notes).toEqual([{ line: 2, column: 1, text: '@import is not allowed.' }])
  })
  it.each([
    [{ title: 'x' }, 400],
    [{ course_key: 'x' }, 400],
    [{ course_key: '!!!', title: 'x' }, 400],
    [{ course_key: 'a', title: '' }, 400],
    [{ course_key: 'a', title: 'x'.repeat(201) }, 400],
    [{ course_key: 'a', title: 'x', estimated_duration_hours: 0.3 }, 400],
    [{ course_key: 'a', title: 'x', estimated_duration_hours: -1 }, 400],
    [{ course_key: 'a', title: 'x', difficulty_level: 'hard' }, 400],
    [{ course_key: 'a', title: 'x', admin: true }, 400],
    [{ course_key: 'a', title: 'x', prerequisites: ['nowhere'] }, 422],
    [{ course_key: 'a', title: 'x', prerequisites: ['a'] }, 422],
    [{ course_key: 'a', title: 'x', is_active: true }, 422],
    [{ course_key: 'a', title: 'x', trainingStylesheet: 'x'.repeat(100_001) }, 400],
    [{ course_key: 'a', title: 'x', metadata: { theme: { primaryColor: 'red' } } }, 422],
  ])('refuses %o', async (body, status) => {
    const before = await count()
    expect((await create(body)).status).toBe(status)
    expect(await count()).toBe(before)
  })
  it('assigns one key only once to ten concurrent requests', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => create({ course_key: 'raced', title: 'Raced' })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
    expect(replies.find(({ status }) => status === 409)?.failure.message).toBe(
      'A course with the key "raced" already exists.',
    )
  })
  it('requires the training permission', async () => {
    const other = server.as('businesses.manage')
    expect((await other.send(createCourse, { body: { course_key: 'a', title: 'b' } as never })).status).toBe(403)
    expect((await other.send(listCourses, { body: {} })).status).toBe(403)
  })
})

describe('POST /api/training/courses/list', () => {
  it('works without a body, searches by words and counts modules and lessons', async () => {
    const course = await makeCourse(server.db, { title: 'Zygomatic Stretching' })
    const module = await makeModule(server.db, { course_id: course.id })
    await makeLesson(server.db, { module_id: module.id })
    const all = await author.send(listCourses)
    expect(all.status, all.text).toBe(200)
    expect(all.body.pagination.totalItems).toBe(all.body.data.length)
    const found = await author.send(listCourses, { body: { search: 'zygomatic' } })
    expect(found.body.data).toHaveLength(1)
    expect(found.body.data[0]).toMatchObject({ title: 'Zygomatic Stretching', moduleCount: 1, lessonCount: 1 })
    expect((await author.send(listCourses, { body: { search: 'zygomatic', page: 2 } })).body).toMatchObject({
      data: [],
      pagination: { totalItems: 1 },
    })
  })
})

describe('POST /api/training/courses/update', () => {
  it('O1 refuses a stale version, returns the current record and keeps the other change', async () => {
    const { course_key, version } = await makeCourse(server.db)
    expect((await update({ course_key, title: 'Theirs', version })).body.data.version).toBe(2)
    const mine = await update({ course_key, title: 'Mine', version })
    expect([mine.status, mine.failure.code]).toEqual([409, 'stale'])
    expect(mine.failure.current).toMatchObject({ title: 'Theirs', version: 2 })
    // The call in the specification sends no version.
    expect((await update({ course_key, title: 'Later' })).body.data.title).toBe('Later')
  })
  it('changes only the fields that are sent', async () => {
    const { course_key } = await makeCourse(server.db, { description: 'Kept', stylesheet: '.a{color:red}' })
    const reply = await update({ course_key, is_required: true })
    expect(reply.body.data).toMatchObject({
      description: 'Kept',
      is_required: true,
      trainingStylesheet: '.a{color:red}',
    })
    expect((await update({ course_key, description: '' })).body.data.description).toBeNull()
  })
  it('J30 activates a course only with a module and a lesson, with the exact refusal', async () => {
    const course = await makeCourse(server.db)
    const { course_key } = course
    const refused = await update({ course_key, is_active: true })
    expect([refused.status, refused.failure.message]).toEqual([422, CANNOT_ACTIVATE])
    const module = await makeModule(server.db, { course_id: course.id })
    expect((await update({ course_key, is_active: true })).status).toBe(422)
    await makeLesson(server.db, { module_id: module.id })
    expect((await update({ course_key, is_active: true })).body.data.is_active).toBe(true)
    expect((await update({ course_key, is_active: false })).body.data.is_active).toBe(false)
  })
  it('refuses prerequisites that form a loop and shows the loop', async () => {
    const [a, b, c] = [
      await makeCourse(server.db, { title: 'A' }),
      await makeCourse(server.db, { title: 'B' }),
      await makeCourse(server.db, { title: 'C' }),
    ]
    await update({ course_key: a.course_key, prerequisites: [b.course_key] })
    await update({ course_key: b.course_key, prerequisites: [c.course_key] })
    const round = await update({ course_key: c.course_key, prerequisites: [a.course_key] })
    expect([round.status, round.failure.message]).toEqual([
      422,
      'These prerequisites form a loop: “C” needs “A” needs “B” needs “C”.',
    ])
    expect((await update({ course_key: c.course_key, prerequisites: [c.course_key] })).failure.code).toBe(
      'own_prerequisite',
    )
  })
  it('never lets two concurrent changes form a loop', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await makeCourse(server.db), await makeCourse(server.db)]
      const replies = await Promise.all([
        update({ course_key: a.course_key, prerequisites: [b.course_key] }),
        update({ course_key: b.course_key, prerequisites: [a.course_key] }),
      ])
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 422])
    }
  })
  it('refuses a course that does not exist', async () => {
    expect((await update({ course_key: 'nowhere', title: 'x' })).status).toBe(404)
    expect((await author.send(getCourse, { body: { course_key: 'nowhere' } })).status).toBe(404)
    expect((await author.send(deleteCourse, { body: { course_key: 'nowhere' } })).status).toBe(404)
    expect((await author.send(checkReadiness, { body: { course_key: 'nowhere' } })).status).toBe(404)
  })
})

describe('O4 a course in production', () => {
  it('cannot lose its last lesson or its last module', async () => {
    const course = await makeCourse(server.db)
    const module = await makeModule(server.db, { course_id: course.id })
    const lesson = await makeLesson(server.db, { module_id: module.id })
    await update({ course_key: course.course_key, is_active: true })
    const one = await author.send(deleteLesson, { body: { lesson_id: lesson.id } })
    expect([one.status, one.failure.code]).toEqual([409, 'last_of_production'])
    const all = await author.send(deleteModule, {
      body: { course_key: course.course_key, module_key: module.module_key },
    })
    expect([all.status, all.failure.code]).toEqual([409, 'last_of_production'])
    expect((await author.send(deleteCourse, { body: { course_key: course.course_key } })).status).toBe(200)
  })
  it('always has a lesson, even when two deletions race', async () => {
    for (let round = 0; round < 10; round++) {
      const course = await makeCourse(server.db)
      const lesson = await makeLesson(server.db, { course_id: course.id })
      const replies = await Promise.all([
        update({ course_key: course.course_key, is_active: true }),
        author.send(deleteLesson, { body: { lesson_id: lesson.id } }),
      ])
      expect(replies.map(({ status }) => status).sort()[0]).toBe(200)
      const { data } = (await author.send(getCourse, { body: { course_key: course.course_key } })).body
      expect(data.course.is_active && data.lessons.length === 0).toBe(false)
    }
  })
  it('is also protected by the database', async () => {
    const lesson = await makeLesson(server.db)
    await server.db
      .updateTable('training_courses')
      .set({ is_active: true })
      .where('id', '=', lesson.course_id)
      .execute()
    await expect(server.db.deleteFrom('training_lessons').where('id', '=', lesson.id).execute()).rejects.toThrow(
      'at least one module and one lesson',
    )
    await expect(makeCourse(server.db, { is_active: true })).rejects.toThrow('at least one module and one lesson')
  })
})

describe('POST /api/training/courses/get', () => {
  it('returns the course, modules and lessons in order', async () => {
    await create({ course_key: 'whole', title: 'Whole' })
    for (const module_key of ['one', 'two'])
      await author.send(createModule, { body: { course_key: 'whole', module_key, title: module_key } })
    for (const [module_key, lesson_key] of [
      ['two', 'c'],
      ['one', 'a'],
      ['one', 'b'],
    ])
      await author.send(createLesson, {
        body: { course_key: 'whole', module_key, lesson_key, title: lesson_key, content_type: 'text' } as never,
      })
    const { data } = (await author.send(getCourse, { body: { course_key: 'whole' } })).body
    expect(data.course).toMatchObject({ moduleCount: 2, lessonCount: 3 })
    expect(data.modules.map(({ module_key, lessonCount }) => [module_key, lessonCount])).toEqual([
      ['one', 2],
      ['two', 1],
    ])
    expect(data.lessons.map(({ lesson_key }) => lesson_key)).toEqual(['a', 'b', 'c'])
    expect(data.lessons[0]?.content_data).toEqual({
      trainingLessonContent: '',
      formatting: 'markdown',
      allowHtml: false,
      trainingStylesheet: '',
    })
  })
})

describe('POST /api/training/update-course-theme', () => {
  const save = (body: object) => author.send(updateCourseTheme, { body: body as never })
  it('saves a theme merged with the default, with filtered and scoped CSS', async () => {
    const { course_key } = await makeCourse(server.db)
    const reply = await save({
      course_key,
      theme: { primaryColor: '#667eea', borderRadius: '0', customCSS: '.portal-button{color:#fff} body{margin:0}' },
    })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body.success).toBe(true)
    expect(reply.body.data.metadata.theme).toEqual({
      ...defaultTheme,
      primaryColor: '#667eea',
      borderRadius: '0px',
      customCSS: '.portal-button{color:#fff} ',
    })
    expect(reply.body.data.styles).toBe('.course-content .portal-button{color:#fff}')
    expect(reply.body.notes).toEqual([{ line: 1, column: 28, text: '"body" is outside the course.' }])
  })
  it.each([
    { primaryColor: 'red;}body{display:none' },
    { primaryColor: 'red' },
    { secondaryColor: '#12' },
    { backgroundColor: '#12345g' },
    { textColor: 'url(x)' },
    { textColor: '' },
    { borderRadius: '1px;}body{display:none}' },
    { borderRadius: '65px' },
    { borderRadius: '-1px' },
    { borderRadius: '1em' },
    { fontFamily: 'x;}*{display:none}' },
    { fontFamily: '' },
    { fontFamily: 'x'.repeat(81) },
    { fontFamily: '"Inter"' },
  ])('J35 refuses %o', async (theme) => {
    const { course_key } = await makeCourse(server.db)
    const reply = await save({ course_key, theme })
    expect([reply.status, reply.failure.code]).toEqual([422, 'bad_theme'])
    expect((await author.send(listCourses, { body: { search: course_key } })).body.data[0]?.metadata.theme).toBeNull()
  })
  it('O1 refuses a stale version', async () => {
    const { course_key, version } = await makeCourse(server.db)
    expect((await save({ course_key, theme: {}, version })).status).toBe(200)
    expect((await save({ course_key, theme: {}, version })).failure.code).toBe('stale')
    expect((await save({ course_key, theme: { color: '#fff' } })).status).toBe(400)
  })
})

describe('POST /api/training/courses/delete', () => {
  it('D2 deletes modules, lessons, files, enrollments, attempts and progress too', async () => {
    const course = await makeCourse(server.db)
    const lesson = await makeLesson(server.db, { course_id: course.id })
    const other = await makeCourse(server.db)
    await update({ course_key: other.course_key, prerequisites: [course.course_key] })
    const reply = await author.send(deleteCourse, { body: { course_key: course.course_key } })
    expect(reply.body).toEqual({
      success: true,
      data: { course_key: course.course_key, deleted: { modules: 1, lessons: 1, attempts: 0, progress: 0, assets: 0 } },
    })
    const left = await server.db.selectFrom('training_lessons').select('id').where('id', '=', lesson.id).execute()
    expect(left).toEqual([])
    expect(
      (await author.send(getCourse, { body: { course_key: other.course_key } })).body.data.course.prerequisites,
    ).toEqual([])
  })
})

describe('deleting a course in production that has learners', () => {
  const makeLive = async () => {
    const course = await makeCourse(server.db)
    await makeLesson(server.db, { course_id: course.id })
    await update({ course_key: course.course_key, is_active: true })
    const user_id = (await makeCustomer(server.db)).id
    await author.send(enrollLearner, { body: { course_key: course.course_key, user_id } })
    return course
  }
  const remove = (body: object) => author.send(deleteCourse, { body: body as never })

  it('requires its title', async () => {
    const { course_key, title } = await makeLive()
    for (const confirm_title of [undefined, '', 'yes', title.toLowerCase()]) {
      const reply = await remove({ course_key, confirm_title })
      expect([reply.status, reply.failure.code]).toEqual([422, 'confirm_title'])
    }
    expect((await author.send(getCourse, { body: { course_key } })).status).toBe(200)
    expect((await remove({ course_key, confirm_title: ` ${title} ` })).status).toBe(200)
  })
  it('requires no title after the course is archived', async () => {
    const { course_key } = await makeLive()
    await update({ course_key, is_active: false })
    expect((await remove({ course_key })).status).toBe(200)
  })
})

describe('POST /api/training/courses/readiness', () => {
  it('lists what a course is missing', async () => {
    const course = await makeCourse(server.db)
    const lacks = async () => (await author.send(checkReadiness, { body: { course_key: course.course_key } })).body.data
    expect(await lacks()).toMatchObject({
      badge: 'Needs Modules',
      canActivate: false,
      items: [{ kind: 'no_modules', text: 'The course has no modules.' }],
    })
    const module = await makeModule(server.db, { course_id: course.id })
    expect((await lacks()).badge).toBe('Needs Lessons')
    const bare = await makeModule(server.db, { course_id: course.id, position: 1, title: 'Bare' })
    for (const [position, content_type] of (['text', 'video', 'quiz', 'mixed', 'interactive'] as const).entries())
      await makeLesson(server.db, { module_id: module.id, position, content_type, title: content_type })
    const { badge, canActivate, items } = await lacks()
    expect([badge, canActivate]).toEqual(['Ready for Production', true])
    expect(items[0]).toMatchObject({
      text: 'The module “Bare” has no lessons.',
      module_id: bare.id,
      module_key: bare.module_key,
    })
    expect(items.map(({ kind }) => kind)).toEqual([
      'module_without_lessons',
      'empty_lesson',
      'missing_media',
      'quiz_without_questions',
      'empty_lesson',
      'empty_lesson',
    ])
  })
  it('lists a prerequisite that is not in production, with its key', async () => {
    const before = await makeCourse(server.db, { title: 'Safety First' })
    const course = await makeCourse(server.db)
    await update({ course_key: course.course_key, prerequisites: [before.course_key] })
    const { items } = (await author.send(checkReadiness, { body: { course_key: course.course_key } })).body.data
    expect(items[0]).toMatchObject({ kind: 'prerequisite_not_in_production', course_key: before.course_key })
  })
  describe('for a quiz', () => {
    const right = draftQuestion({ id: 'right' })
    const unmarked = draftQuestion({ id: 'unmarked', correctAnswer: null, trainingQuizQuestion: 'Which joint?' })
    const unticked = draftQuestion({ id: 'unticked', type: 'multiple_select', trainingQuizQuestion: 'Which two?' })
    const open = draftQuestion({ id: 'open', type: 'short_answer', options: [] })
    const noAnswer = (text: string) => `Lesson “Check”: the question “${text}” has no correct answer.`
    const nothing = 'Lesson “Check”: no question of the quiz can be scored, so no one can pass it.'
    const lacksOf = async (content_type: 'quiz' | 'mixed', content: object) => {
      const course = await makeCourse(server.db)
      const module = await makeModule(server.db, { course_id: course.id })
      const lesson = await makeLesson(server.db, {
        module_id: module.id,
        title: 'Check',
        content_type,
        content: JSON.stringify({ ...defaultContent(content_type), ...content }),
      })
      const { items } = (await author.send(checkReadiness, { body: { course_key: course.course_key } })).body.data
      return { items, lesson, module }
    }

    it.each([
      ['only scorable questions', [right], []],
      ['an open question next to a scorable one', [right, open], []],
      ['a choice question without an answer', [right, unmarked], [['unmarked', noAnswer('Which joint?')]]],
      ['only open questions', [open], [[null, nothing]]],
      [
        'no answer to any choice question',
        [unmarked, unticked],
        [
          [null, nothing],
          ['unmarked', noAnswer('Which joint?')],
          ['unticked', noAnswer('Which two?')],
        ],
      ],
    ])('with %s', async (_, questions, expected) => {
      const { items, lesson } = await lacksOf('quiz', { questions })
      expect(items.map(({ question_id, text }) => [question_id, text])).toEqual(expected)
      for (const item of items) expect(item).toMatchObject({ lesson_id: lesson.id, component: null })
    })
    it('in a mixed lesson, with its component', async () => {
      const part = (order: number, questions: object[]) => ({
        type: 'quiz',
        order,
        content: { ...defaultContent('quiz'), questions },
      })
      const { items, lesson, module } = await lacksOf('mixed', {
        components: [part(0, [right]), part(1, [right, unmarked]), part(2, [])],
      })
      expect(items).toMatchObject([
        { kind: 'question_without_answer', lesson_id: lesson.id, component: 1, question_id: 'unmarked' },
        { kind: 'quiz_without_questions', module_id: module.id, component: 2, question_id: null },
      ])
    })
  })
  const missing = `/api/training/files/${'m'.repeat(26)}.png`
  const mixedText = { type: 'text', order: 0, content: { trainingMixedComponentText: `![Hip](${missing})` } }
  it.each([
    ['interactive', { gameType: 'body_map', gameData: { view: 'front', targets: [] } }, 'empty_lesson'],
    ['interactive', { gameType: 'custom', gameData: { view: 'front' } }, undefined],
    ['text', { trainingLessonContent: `![Hip](${missing})` }, 'missing_media'],
    ['text', { trainingLessonContent: `<video src="${missing}" controls></video>` }, 'missing_media'],
    ['mixed', { components: [mixedText] }, 'missing_media'],
    ['video', { url: 'https://media.example.com/a.mp4', thumbnail: missing }, 'missing_media'],
    [
      'video',
      { url: 'https://media.example.com/a.mp4', subtitles: [{ label: 'English', language: 'en', url: missing }] },
      'missing_media',
    ],
    [
      'interactive',
      { gameType: 'flashcards', gameData: { cards: [{ front: 'a', back: 'b', image: missing }] } },
      'missing_media',
    ],
  ] as const)('checks the content of a lesson: %s %#', async (content_type, content, kind) => {
    const course = await makeCourse(server.db)
    const module = await makeModule(server.db, { course_id: course.id })
    const whole = { ...defaultContent(content_type), ...content }
    await makeLesson(server.db, { module_id: module.id, content_type, content: JSON.stringify(whole) })
    const { items } = (await author.send(checkReadiness, { body: { course_key: course.course_key } })).body.data
    expect(items.map((item) => item.kind)).toEqual(kind ? [kind] : [])
  })
})
