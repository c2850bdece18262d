// @module-tag slow
import { getCourse, listCourses } from '@limber/contract/training/courses/course.ts'
import { type ContentType, contentSchemas } from '@limber/contract/training/lessons/content.ts'
import {
  addQuestion,
  createLesson,
  deleteLesson,
  getLesson,
  listLessons,
  putLesson,
  reorderLessons,
  updateLesson,
} from '@limber/contract/training/lessons/lesson.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { draftLesson, draftQuestion, makeCourse, makeLesson, makeModule } from '../training.factory.ts'

let server: TestServer
let author: TestCaller
let courseId: number
const place = { course_key: 'flow', module_key: 'warm_up' }
beforeAll(async () => {
  server = await startTestServer({ env: { TRAINING_MEDIA_HOSTS: 'media.example.com' } })
  author = server.as('training.manage')
  courseId = (await makeCourse(server.db, { course_key: 'flow' })).id
  await makeModule(server.db, { course_id: courseId, module_key: 'warm_up' })
  await makeModule(server.db, { course_id: courseId, module_key: 'cool_down', position: 1 })
})
afterAll(() => server.stop())

let serial = 0
const create = (body: object) =>
  author.send(createLesson, {
    body: { ...place, lesson_key: `lesson ${++serial}`, title: 'a lesson', content_type: 'text', ...body } as never,
  })
const createdLesson = async (body: object = {}) => {
  const reply = await create(body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.data
}
const update = (body: object) => author.send(updateLesson, { body: body as never })
const put = (id: number, body: object) => author.send(putLesson, { params: { id: String(id) }, body: body as never })
const read = async (lesson_id: number) => (await author.send(getLesson, { body: { lesson_id } })).body.data

describe('POST /api/training/lessons/create', () => {
  it('adds a lesson to the end of its module with the defaults of its type', async () => {
    const lesson = await createdLesson({ lesson_key: 'Neck And Jaw', title: 'neck and jaw' })
    expect(lesson).toMatchObject({
      ...place,
      lesson_key: 'neck_and_jaw',
      title: 'Neck And Jaw',
      content_type: 'text',
      content_data: contentSchemas.text.parse({}),
      is_required: true,
      is_active: true,
      max_attempts: 3,
      passing_score: null,
      prerequisites: [],
      references: [],
      kept_components: [],
      version: 1,
    })
    expect((await createdLesson()).position).toBe(lesson.position + 1)
  })
  it.each(Object.keys(contentSchemas) as ContentType[])('stores the content of a %s lesson', async (content_type) => {
    const lesson = await createdLesson({ content_type })
    expect(lesson.content_data).toEqual(contentSchemas[content_type].parse({}))
    expect((await put(lesson.id, lesson)).body.data.content_data).toEqual(lesson.content_data)
  })
  it.each([
    ['text', { trainingLessonContent: 7 }],
    ['text', { text: 'x' }],
    ['text', { formatting: 'html' }],
    ['text', { trainingLessonContent: 'x'.repeat(200_001) }],
    ['video', { url: 'http://media.example.com/a.mp4' }],
    ['video', { url: 'javascript:alert(1)' }],
    ['video', { url: 'https://user:secret@media.example.com/a.mp4' }],
    ['video', { url: 'https://127.0.0.1/a.mp4' }],
    ['video', { url: '/api/training/files/../../secret' }],
    ['video', { duration: -1 }],
    ['video', { subtitles: [{ label: 'English', language: 'english!', url: '' }] }],
    ['audio', { transcript: null }],
    ['quiz', { passingScore: 101 }],
    ['quiz', { passingScore: -1 }],
    ['quiz', { maxAttempts: 0 }],
    ['quiz', { timeLimit: -1 }],
    ['quiz', { questions: [{ id: '1', trainingQuizQuestion: '' }] }],
    ['quiz', { questions: [{ id: '1', trainingQuizQuestion: '  ' }] }],
    ['quiz', { questions: [draftQuestion({ points: 0 })] }],
    ['quiz', { questions: [draftQuestion({ points: 1.5 })] }],
    ['quiz', { questions: [draftQuestion({ correctAnswer: 2 })] }],
    ['quiz', { questions: [draftQuestion({ type: 'true_false', correctAnswer: 2 })] }],
    ['quiz', { questions: [draftQuestion({ type: 'multiple_select', correctAnswers: [5] })] }],
    ['quiz', { questions: [draftQuestion({ id: 'a' }), draftQuestion({ id: 'a' })] }],
    ['quiz', { questions: [draftQuestion({ options: Array.from({ length: 11 }, () => 'x') })] }],
    ['interactive', { gameType: 'flashcards', gameData: { cards: [{ front: 'x' }] } }],
    [
      'interactive',
      { gameType: 'body_map', gameData: { view: 'front', targets: [{ muscle: 'calves', prompt: 'x' }] } },
    ],
    ['interactive', { gameType: 'order_steps', gameData: { steps: [''] } }],
    ['interactive', { gameType: 'chess' }],
    ['interactive', { difficulty: 'extreme' }],
    ['document', { type: 'docx' }],
    ['mixed', { components: [{ type: 'game', content: {} }] }],
    ['mixed', { components: [{ type: 'video', content: { duration: -1 } }] }],
    ['mixed', { components: [{ type: 'text', content: { text: 'x' } }] }],
    ['mixed', { components: [{ type: 'quiz', content: { questions: [draftQuestion({ type: 'multiple_select' })] } }] }],
    ['mixed', { components: [{ type: 'quiz', content: { questions: [draftQuestion({ options: ['a', ''] })] } }] }],
  ])('refuses %s content %o', async (content_type, content_data) => {
    const reply = await create({ content_type, content_data })
    expect(reply.status).toBe(400)
    expect(reply.failure.fields?.[0]?.path).toMatch(/^content_data/)
  })
  it.each([
    [{ title: '' }, 400],
    [{ lesson_key: '' }, 400],
    [{ content_type: undefined }, 400],
    [{ content_type: 'hologram' }, 400],
    [{ module_key: undefined }, 400],
    [{ module_key: 'nowhere' }, 404],
    [{ passing_score: 101 }, 400],
    [{ max_attempts: 0 }, 400],
    [{ prerequisites: [999_999] }, 422],
    [{ references: [999_999] }, 422],
    [{ content_type: 'video', content_data: { url: 'https://evil.example/a.mp4' } }, 422],
    [{ content_data: { trainingLessonContent: '[here](javascript:alert(1))' } }, 422],
    [{ author: 'me' }, 400],
  ])('refuses %o', async (body, status) => {
    expect((await create(body)).status).toBe(status)
  })
  it('accepts uploaded media and media from the hosts in the settings', async () => {
    const url = 'https://media.example.com/hips.mp4'
    expect((await createdLesson({ content_type: 'video', content_data: { url } })).content_data).toMatchObject({ url })
    const own = `/api/training/files/${'a'.repeat(26)}.mp4`
    expect((await createdLesson({ content_type: 'video', content_data: { url: own } })).content_data).toMatchObject({
      url: own,
    })
  })
  it('copies the passing score and attempts of a quiz to the lesson, and nothing else', async () => {
    const lesson = await createdLesson({
      content_type: 'quiz',
      content_data: { passingScore: 85, maxAttempts: 5 },
      passing_score: 10,
    })
    expect(lesson).toMatchObject({ passing_score: 85, max_attempts: 5 })
    const after = await update({ lesson_id: lesson.id, passing_score: 20, max_attempts: 1 })
    expect(after.body.data).toMatchObject({ passing_score: 85, max_attempts: 5 })
  })
  it('flags HTML where the specification does', async () => {
    const flag = async (content_type: string, content_data: object = {}) =>
      (await createdLesson({ content_type, content_data })).allowsHtml
    expect(await flag('text', { formatting: 'rich_text', allowHtml: true })).toBe(true)
    expect(await flag('text', { formatting: 'rich_text' })).toBe(false)
    expect(await flag('text', { formatting: 'markdown', allowHtml: true })).toBe(false)
    expect(await flag('video')).toBe(true)
    expect(await flag('audio')).toBe(true)
    expect(await flag('quiz')).toBe(false)
    expect(await flag('mixed', { components: [{ type: 'quiz' }] })).toBe(false)
    expect(await flag('mixed', { components: [{ type: 'quiz' }, { type: 'audio' }] })).toBe(true)
  })
  it('numbers mixed components without gaps and scopes the styles of each', async () => {
    const lesson = await createdLesson({
      content_type: 'mixed',
      content_data: {
        components: [
          { type: 'text', order: 7, content: { trainingMixedComponentText: 'second', customCSS: 'p{color:red}' } },
          { type: 'quiz', order: 2 },
        ],
      },
    })
    expect(lesson.content_data).toMatchObject({
      components: [
        { type: 'quiz', order: 0 },
        { type: 'text', order: 1 },
      ],
    })
    expect(lesson.styles).toBe('.lesson-component-1 p{color:red}')
  })
})

describe('older quizzes', () => {
  it('are accepted with the older field names and returned with the new ones', async () => {
    const lesson = await createdLesson({
      content_type: 'quiz',
      content_data: { questions: [{ id: '1', question: 'Old?', explanation: 'Because.' }] },
    })
    expect(lesson.content_data).toMatchObject({
      questions: [
        { trainingQuizQuestion: 'Old?', trainingQuizExplanation: 'Because.', options: ['', '', '', ''], points: 1 },
      ],
    })
  })
  it('load from rows in the older format', async () => {
    const { id } = await makeLesson(server.db, {
      content_type: 'quiz',
      content: JSON.stringify({
        questions: [{ id: '1', question: 'Stored?', explanation: 'Yes.', type: 'true_false', correctAnswer: 0 }],
      }),
    })
    expect((await read(id)).content_data).toMatchObject({
      questions: [{ trainingQuizQuestion: 'Stored?', trainingQuizExplanation: 'Yes.' }],
      passingScore: 70,
    })
    expect((await author.send(addQuestion, { params: { id: String(id) }, body: draftQuestion() })).status).toBe(200)
  })
})

describe('POST /api/training/lessons/update', () => {
  it('changes only the fields that are sent', async () => {
    const { id } = await createdLesson({ description: 'Kept', content_data: { trainingLessonContent: 'Kept' } })
    const { data } = (await update({ lesson_id: id, title: 'new title', is_required: false })).body
    expect(data).toMatchObject({ title: 'New Title', description: 'Kept', is_required: false, version: 2 })
    expect(data.content_data).toMatchObject({ trainingLessonContent: 'Kept' })
  })
  it('starts with the defaults of a new type, and keeps mixed components until the type returns', async () => {
    const components = [{ type: 'text', content: { trainingMixedComponentText: 'Breathe' } }]
    const { id } = await createdLesson({ content_type: 'mixed', content_data: { components } })
    const video = (await update({ lesson_id: id, content_type: 'video' })).body.data
    expect(video.content_data).toEqual(contentSchemas.video.parse({}))
    expect(video.kept_components).toMatchObject(components)
    expect((await update({ lesson_id: id, content_type: 'text' })).body.data.kept_components).toMatchObject(components)
    const again = (await update({ lesson_id: id, content_type: 'mixed' })).body.data
    expect(again.content_data).toMatchObject({ components, layout: 'sequential' })
    expect(again.kept_components).toEqual([])
  })
  it('requires the type with the content', async () => {
    const { id } = await createdLesson()
    expect((await update({ lesson_id: id, content_data: {} })).status).toBe(400)
    expect((await update({ lesson_id: id, content_type: 'quiz', content_data: { url: '' } })).status).toBe(400)
  })
  it('moves to another module of its course, and to no other course', async () => {
    const lesson = await createdLesson()
    const moved = (await update({ lesson_id: lesson.id, module_key: 'cool_down' })).body.data
    expect(moved).toMatchObject({ module_key: 'cool_down', position: 0 })
    expect((await update({ lesson_id: lesson.id, module_key: 'nowhere' })).status).toBe(422)
    expect((await update({ lesson_id: lesson.id, course_key: 'other' })).failure.code).toBe('other_course')
    expect((await update({ lesson_id: lesson.id, lesson_key: 'other' })).failure.code).toBe('key_locked')
  })
  it('refuses prerequisites outside the module and in a loop', async () => {
    const [a, b] = [await createdLesson({ title: 'A' }), await createdLesson({ title: 'B' })]
    const elsewhere = await createdLesson({ module_key: 'cool_down' })
    expect((await update({ lesson_id: b.id, prerequisites: [a.id] })).body.data.prerequisites).toEqual([a.id])
    const round = await update({ lesson_id: a.id, prerequisites: [b.id] })
    expect([round.status, round.failure.message]).toEqual([
      422,
      'These prerequisites form a loop: “A” needs “B” needs “A”.',
    ])
    expect((await update({ lesson_id: a.id, prerequisites: [a.id] })).failure.code).toBe('own_prerequisite')
    expect((await update({ lesson_id: a.id, prerequisites: [elsewhere.id] })).failure.code).toBe('no_such_lesson')
    expect((await update({ lesson_id: a.id, module_key: 'cool_down' })).failure.code).toBe('has_dependents')
    expect((await update({ lesson_id: b.id, module_key: 'cool_down' })).body.data.prerequisites).toEqual([])
  })
  it('treats a prerequisite listed twice as one', async () => {
    const [a, b] = [await createdLesson(), await createdLesson()]
    const reply = await update({ lesson_id: a.id, prerequisites: [b.id, b.id], references: [b.id, b.id] })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body.data).toMatchObject({ prerequisites: [b.id], references: [b.id] })
  })
  it('can reference lessons of any module of the course, but not itself', async () => {
    const a = await createdLesson()
    const b = await createdLesson({ module_key: 'cool_down' })
    const foreign = await makeLesson(server.db)
    expect((await update({ lesson_id: a.id, references: [b.id] })).body.data.references).toEqual([b.id])
    expect((await update({ lesson_id: a.id, references: [a.id] })).failure.code).toBe('own_reference')
    expect((await update({ lesson_id: a.id, references: [foreign.id] })).failure.code).toBe('no_such_reference')
    await author.send(deleteLesson, { body: { lesson_id: b.id } })
    expect((await read(a.id)).references).toEqual([])
  })
})

describe('PUT /api/training/lessons/{id}', () => {
  it('O2 loses nothing when two workers change two questions of one quiz', async () => {
    const questions = [draftQuestion({ id: 'a' }), draftQuestion({ id: 'b' })]
    const seen = await createdLesson({ content_type: 'quiz', content_data: { questions } })
    const withText = (text: string, at: number) => ({
      ...seen,
      content_data: {
        ...seen.content_data,
        questions: questions.map((question, index) =>
          index === at ? { ...question, trainingQuizQuestion: text } : question,
        ),
      },
    })
    const replies = await Promise.all([put(seen.id, withText('Mine?', 0)), put(seen.id, withText('Theirs?', 1))])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    const refused = replies.find(({ status }) => status === 409)
    const winner = (await read(seen.id)) as typeof seen
    expect(refused?.failure.current).toEqual(winner)
    // With the record from the refusal, the second change succeeds too.
    const isMine = JSON.stringify(winner.content_data).includes('Mine?')
    const rest = (winner.content_data as { questions: typeof questions }).questions.map((question) =>
      question.id === (isMine ? 'b' : 'a')
        ? { ...question, trainingQuizQuestion: isMine ? 'Theirs?' : 'Mine?' }
        : question,
    )
    const again = await put(seen.id, { ...winner, content_data: { ...winner.content_data, questions: rest } })
    expect(JSON.stringify(again.body.data.content_data)).toMatch(/Mine\?.*Theirs\?/)
  })
  it('J32 refuses another course, another key, another id and a stale version', async () => {
    const lesson = await createdLesson()
    expect((await put(lesson.id, { ...lesson, course_key: 'other' })).status).toBe(400)
    expect((await put(lesson.id, { ...lesson, lesson_key: 'other' })).status).toBe(400)
    expect((await put(lesson.id, { ...lesson, id: lesson.id + 1 })).status).toBe(400)
    expect((await put(lesson.id, { ...lesson, title: undefined })).status).toBe(400)
    expect((await put(lesson.id, lesson)).status).toBe(200)
    expect((await put(lesson.id, lesson)).status).toBe(409)
    expect((await put(999_999, { ...lesson, id: undefined })).status).toBe(404)
  })
})

describe('POST /api/training/lessons/{id}/questions', () => {
  const add = (id: number, body: object) =>
    author.send(addQuestion, { params: { id: String(id) }, body: body as never })
  it('appends, and loses none of ten concurrent questions', async () => {
    const { id } = await createdLesson({ content_type: 'quiz' })
    const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => add(id, draftQuestion({ id: `q${n}` }))))
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    expect(await read(id)).toMatchObject({ questionCount: 10, version: 11 })
  })
  it('refuses an invalid question, a duplicate id, and lessons without a quiz', async () => {
    const quiz = await createdLesson({ content_type: 'quiz' })
    const text = await createdLesson()
    await add(quiz.id, draftQuestion({ id: 'x' }))
    expect((await add(quiz.id, draftQuestion({ id: 'x' }))).status).toBe(409)
    expect((await add(quiz.id, { id: 'y' })).status).toBe(400)
    expect((await add(quiz.id, { ...draftQuestion(), type: 'essay' })).status).toBe(400)
    expect((await add(text.id, draftQuestion())).failure.code).toBe('not_a_quiz')
    expect((await add(999_999, draftQuestion())).status).toBe(404)
  })
})

describe('POST /api/training/courses/list', () => {
  it('returns the hosts whose media may be shown', async () => {
    expect((await author.send(listCourses, {})).body.mediaHosts).toEqual(['media.example.com'])
  })
})

describe('POST /api/training/lessons/list', () => {
  it('lists a course or a module, with or without content', async () => {
    const all = await author.send(listLessons, { body: { course_key: 'flow', module_key: null } })
    expect(all.body.data.every(({ content_data }) => content_data !== undefined)).toBe(true)
    const some = await author.send(listLessons, { body: { ...place, with_content: false } })
    expect(some.body.data.every((lesson) => lesson.module_key === 'warm_up' && !('content_data' in lesson))).toBe(true)
    expect(some.body.pagination.totalItems).toBe(some.body.data.length)
    expect((await author.send(listLessons, { body: { course_key: 'nowhere' } })).status).toBe(404)
    expect((await author.send(listLessons, { body: { course_key: 'flow', module_key: 'nowhere' } })).status).toBe(404)
    expect((await server.as('growth.tab').send(listLessons, { body: { course_key: 'flow' } })).status).toBe(403)
  })
  it('lists the maximum number of lessons of a course', async () => {
    const { id: module_id, course_id } = await makeModule(server.db)
    const lessons = Array.from({ length: 1001 }, (_, position) => draftLesson({ course_id, module_id, position }))
    await server.db.insertInto('training_lessons').values(lessons).execute()
    const { course_key } = await server.db
      .selectFrom('training_courses')
      .select('course_key')
      .where('id', '=', course_id)
      .executeTakeFirstOrThrow()
    const reply = await author.send(listLessons, { body: { course_key, with_content: false } })
    expect(reply.body.data).toHaveLength(1001)
  })
})

describe('POST /api/training/lessons/reorder', () => {
  it('reorders all lessons of a module, and refuses any other list', async () => {
    const ids = async () =>
      (await author.send(listLessons, { body: { ...place, with_content: false } })).body.data.map(({ id }) => id)
    const before = await ids()
    const reorder = (lesson_ids: number[]) => author.send(reorderLessons, { body: { ...place, lesson_ids } })
    expect((await reorder(before.toReversed())).status).toBe(200)
    expect(await ids()).toEqual(before.toReversed())
    expect((await reorder(before.slice(1))).failure.code).toBe('changed')
    expect((await reorder([...before.slice(1), before[1] as number])).failure.code).toBe('changed')
  })
})

describe('a course of 40 modules and 800 lessons', () => {
  it('is read in two statements', async () => {
    const course = await makeCourse(server.db, { course_key: 'large' })
    await sql`insert into training_modules (course_id, module_key, title, position, created_at, updated_at)
      select ${course.id}, 'm' || n, 'Module ' || n, n, now(), now() from generate_series(0, 39) n`.execute(server.db)
    await sql`insert into training_lessons (course_id, module_id, lesson_key, title, content_type, content, position, created_at, updated_at)
      select m.course_id, m.id, 'l' || n, 'Lesson ' || n, 'text', ${JSON.stringify(contentSchemas.text.parse({ trainingLessonContent: 'x'.repeat(500) }))}::jsonb, n, now(), now()
      from training_modules m, generate_series(0, 19) n where m.course_id = ${course.id}`.execute(server.db)
    const { pool } = server.running.services
    let statements = 0
    const seen = (pool as unknown as { _clients: { query: unknown }[] })._clients
    for (const client of seen) {
      const original = client.query as (...all: unknown[]) => unknown
      client.query = (...all: unknown[]) => {
        if (JSON.stringify(all[0]).includes('training_')) statements++
        return original.apply(client, all)
      }
    }
    const { data } = (await author.send(getCourse, { body: { course_key: 'large' } })).body
    expect([data.modules.length, data.lessons.length]).toEqual([40, 800])
    expect(data.lessons[799]).toMatchObject({ module_key: 'm39', lesson_key: 'l19' })
    expect(statements).toBe(2)
  })
})

describe('POST /api/training/lessons/delete', () => {
  it('deletes everything of a lesson, and refuses a stale version', async () => {
    const lesson = await createdLesson()
    await update({ lesson_id: lesson.id, title: 'Changed' })
    expect((await author.send(deleteLesson, { body: { lesson_id: lesson.id, version: 1 } })).status).toBe(409)
    const reply = await author.send(deleteLesson, { body: { lesson_id: lesson.id, version: 2 } })
    expect(reply.body.data).toEqual({ lesson_id: lesson.id, deleted: { attempts: 0, progress: 0, assets: 0 } })
    expect((await author.send(getLesson, { body: { lesson_id: lesson.id } })).status).toBe(404)
  })
})
