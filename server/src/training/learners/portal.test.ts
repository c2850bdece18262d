// @module-tag slow
import { updateCourse } from '@limber/contract/training/courses/course.ts'
import {
  enrollLearner,
  findCandidates,
  grantAttempt,
  listEnrollments,
  removeLearner,
} from '@limber/contract/training/learners/enrollment.ts'
import { readCourseFigures } from '@limber/contract/training/learners/figures.ts'
import { recordProgress, startAttempt, submitAttempt } from '@limber/contract/training/learners/portal.ts'
import { defaultContent } from '@limber/contract/training/lessons/content.ts'
import { deleteLesson } from '@limber/contract/training/lessons/lesson.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, MINUTE, SECOND } from '#platform/clock.ts'
import { eventually, startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { enrollInRequiredCourses, findTrainingProgress } from '../public.ts'
import { draftQuestion, makeCourse, makeLesson, makeModule } from '../training.factory.ts'

const KEY = 'portal-key-0123456789-abcdefghij'
const headers = { 'x-portal-key': KEY, origin: undefined, 'x-csrf-token': undefined }
let server: TestServer
let author: TestCaller
beforeAll(async () => {
  server = await startTestServer({ env: { TRAINING_PORTAL_KEY: KEY } })
  author = server.as('training.manage')
})
afterAll(() => server.stop())

/** Advances the clock and signs the worker in again. */
function advanceClock(ms: number) {
  server.clock.advance(ms)
  author = server.as('training.manage')
}

const progress = (body: object) => server.anonymous().send(recordProgress, { body: body as never }, { headers })
const start = (body: object) => server.anonymous().send(startAttempt, { body: body as never }, { headers })
const submit = (body: object) => server.anonymous().send(submitAttempt, { body: body as never }, { headers })

const questions: Question[] = [
  draftQuestion({ id: 'one', points: 3 }),
  draftQuestion({ id: 'two', type: 'multiple_select', options: ['a', 'b', 'c'], correctAnswers: [0, 2] }),
  draftQuestion({ id: 'three', type: 'short_answer', options: [], acceptedAnswers: ['Hip Flexor'] }),
  draftQuestion({ id: 'four', type: 'short_answer', options: [], acceptedAnswers: [] }),
]
const correctAnswers = [
  { question_id: 'one', answer: 0 },
  { question_id: 'two', answer: [2, 0] },
  { question_id: 'three', answer: '  hip   flexor ' },
]

/** A course in production with a text lesson and a quiz, and one enrolled learner. */
async function makeLive(quiz: object = {}) {
  const course = await makeCourse(server.db)
  const module = await makeModule(server.db, { course_id: course.id })
  const text = await makeLesson(server.db, { module_id: module.id })
  const content = { ...defaultContent('quiz'), questions, ...quiz }
  const lesson = await makeLesson(server.db, {
    module_id: module.id,
    position: 1,
    content_type: 'quiz',
    content: JSON.stringify(content),
    max_attempts: content.maxAttempts,
    passing_score: content.passingScore,
  })
  expect((await author.send(updateCourse, { body: { course_key: course.course_key, is_active: true } })).status).toBe(
    200,
  )
  const user_id = (await makeCustomer(server.db)).id
  await author.send(enrollLearner, { body: { course_key: course.course_key, user_id } })
  return { course, module, text, quiz: lesson, user_id }
}
const figures = async (course_key: string) => (await author.send(readCourseFigures, { body: { course_key } })).body.data

describe('the portal key', () => {
  it('is checked before anything else', async () => {
    for (const key of [undefined, '', 'wrong-key-0123456789-abcdefghij'])
      for (const call of [recordProgress, startAttempt, submitAttempt]) {
        const reply = await server
          .anonymous()
          .send(call, { body: {} as never }, { headers: { ...headers, 'x-portal-key': key } })
        expect([reply.status, reply.failure.code]).toEqual([401, key === undefined ? 'no_api_key' : 'wrong_key'])
      }
    expect((await author.send(recordProgress, { body: {} as never })).status).toBe(401)
  })
  it('answers that the portal is not connected when no key is set', async () => {
    const bare = await startTestServer()
    const reply = await bare.anonymous().send(recordProgress, { body: {} as never }, { headers })
    expect([reply.status, reply.failure.code]).toEqual([503, 'not_connected'])
    await bare.stop()
  })
})

describe('POST /api/training/progress', () => {
  it('records opened and completed lessons, and caps the reported time', async () => {
    const { text, user_id, course } = await makeLive()
    const body = { user_id, lesson_id: text.id }
    expect((await progress({ ...body, state: 'started', seconds: 500 })).body.data).toEqual({
      lesson_completed: false,
      course_completed: false,
      seconds: 0,
    })
    server.clock.advance(60 * SECOND)
    expect((await progress({ ...body, state: 'started', seconds: 40 })).body.data.seconds).toBe(40)
    expect((await progress({ ...body, state: 'completed', seconds: 5000 })).body.data).toMatchObject({
      lesson_completed: true,
      seconds: 40,
    })
    expect((await progress({ ...body, state: 'started' })).body.data.lesson_completed).toBe(true)
    const [row] = (await author.send(listEnrollments, { body: { course_key: course.course_key } })).body.data
    expect(row).toMatchObject({ user_id, state: 'learning', lessons_done: 1, lessons: 2 })
  })
  it('completes a lesson with a quiz only when the quiz is passed', async () => {
    const { quiz, user_id } = await makeLive()
    const reply = await progress({ user_id, lesson_id: quiz.id, state: 'completed' })
    expect([reply.status, reply.failure.code]).toEqual([409, 'quiz_not_passed'])
  })
  it('accepts only enrolled learners, courses in production and met prerequisites', async () => {
    const { text, quiz, user_id, course, module } = await makeLive()
    const stranger = (await makeCustomer(server.db)).id
    expect((await progress({ user_id: stranger, lesson_id: text.id, state: 'started' })).failure.code).toBe(
      'not_enrolled',
    )
    await server.db
      .insertInto('training_lesson_prerequisites')
      .values({ lesson_id: quiz.id, requires_id: text.id, module_id: module.id })
      .execute()
    const locked = await progress({ user_id, lesson_id: quiz.id, state: 'started' })
    expect([locked.status, locked.failure.message]).toEqual([409, 'Complete first: The Hip Flexors.'])
    await author.send(updateCourse, { body: { course_key: course.course_key, is_active: false } })
    expect((await progress({ user_id, lesson_id: text.id, state: 'started' })).status).toBe(404)
    expect((await progress({ user_id, lesson_id: 999_999, state: 'started' })).status).toBe(404)
    for (const wrong of [{ state: 'passed' }, { seconds: -1 }, { score: 100 }])
      expect((await progress({ user_id, lesson_id: text.id, state: 'started', ...wrong })).status).toBe(400)
  })
})

describe('POST /api/training/attempts', () => {
  it('sends questions without answers, scores on the server, and completes lesson and course', async () => {
    const { text, quiz, user_id } = await makeLive()
    await progress({ user_id, lesson_id: text.id, state: 'completed' })
    const asked = await start({ user_id, lesson_id: quiz.id })
    expect(asked.status, asked.text).toBe(200)
    expect(asked.body.data).toMatchObject({ attempts_used: 1, attempts_left: 2, passing_score: 70, due_at: null })
    expect(asked.text).not.toMatch(/correctAnswer|acceptedAnswers|Hip Flexor/)
    const reply = await submit({ user_id, attempt_id: asked.body.data.attempt_id, answers: correctAnswers })
    expect(reply.body.data).toMatchObject({
      score: 100,
      points: 5,
      possible: 5,
      is_passed: true,
      lesson_completed: true,
      course_completed: true,
    })
    expect(reply.body.data.review?.map(({ is_right }) => is_right)).toEqual([true, true, true, null])
    expect((await start({ user_id, lesson_id: quiz.id })).failure.code).toBe('passed')
    expect(
      (await submit({ user_id, attempt_id: asked.body.data.attempt_id, answers: correctAnswers })).failure.code,
    ).toBe('closed')
  })
  it('weights points, requires every part of a selection, and reveals no answers before the end', async () => {
    const { quiz, user_id } = await makeLive()
    const { attempt_id } = (await start({ user_id, lesson_id: quiz.id })).body.data
    const reply = await submit({
      user_id,
      attempt_id,
      answers: [
        { question_id: 'one', answer: 0 },
        { question_id: 'two', answer: [0] },
      ],
    })
    expect(reply.body.data).toMatchObject({ score: 60, points: 3, is_passed: false, attempts_left: 2, review: null })
  })
  it('refuses after the last attempt, and continues when a worker grants one more', async () => {
    const { quiz, user_id, course } = await makeLive({ maxAttempts: 1 })
    expect((await author.send(grantAttempt, { body: { lesson_id: quiz.id, user_id } })).failure.code).toBe(
      'attempts_left',
    )
    const { attempt_id } = (await start({ user_id, lesson_id: quiz.id })).body.data
    expect((await submit({ user_id, attempt_id, answers: [] })).body.data).toMatchObject({ attempts_left: 0, score: 0 })
    expect((await start({ user_id, lesson_id: quiz.id })).failure.code).toBe('no_attempts_left')
    const stuck = async () =>
      (await author.send(listEnrollments, { body: { course_key: course.course_key, state: 'stuck' } })).body
    expect((await stuck()).data).toMatchObject([
      { user_id, stuck: [{ lesson_id: quiz.id, lesson_title: quiz.title, component: null }] },
    ])
    expect((await figures(course.course_key)).stuck).toMatchObject([
      { user_id, reason: 'attempts_used', attempts: 1, best_score: 0 },
    ])
    expect((await author.send(grantAttempt, { body: { lesson_id: quiz.id, user_id } })).body.data).toEqual({
      attempts_left: 1,
    })
    expect((await stuck()).pagination.totalItems).toBe(0)
    expect((await start({ user_id, lesson_id: quiz.id })).body.data.attempts_used).toBe(2)
  })
  it('resumes an open attempt, and counts one attempt for ten concurrent starts', async () => {
    const { quiz, user_id } = await makeLive()
    const replies = await Promise.all(Array.from({ length: 10 }, () => start({ user_id, lesson_id: quiz.id })))
    expect(new Set(replies.map(({ body }) => body.data.attempt_id)).size).toBe(1)
  })
  it('counts nothing that arrives after the deadline', async () => {
    const { quiz, user_id } = await makeLive({ timeLimit: 10 })
    const { attempt_id, due_at, started_at } = (await start({ user_id, lesson_id: quiz.id })).body.data
    expect(Date.parse(due_at ?? '') - Date.parse(started_at)).toBe(10 * MINUTE)
    server.clock.advance(10 * MINUTE + 31 * SECOND)
    expect((await submit({ user_id, attempt_id, answers: correctAnswers })).body.data).toMatchObject({
      is_late: true,
      score: 0,
      is_passed: false,
    })
    const again = (await start({ user_id, lesson_id: quiz.id })).body.data
    expect(again).toMatchObject({ attempts_used: 2 })
    server.clock.advance(11 * MINUTE)
    expect((await start({ user_id, lesson_id: quiz.id })).body.data).toMatchObject({
      attempts_used: 3,
      attempts_left: 0,
    })
  })
  it('shuffles if the quiz says so, and scores the shuffled questions', async () => {
    const many = Array.from({ length: 30 }, (_, n) => draftQuestion({ id: `q${n}` }))
    const { quiz, user_id } = await makeLive({ questions: many, randomizeQuestions: true })
    const { questions: asked, attempt_id } = (await start({ user_id, lesson_id: quiz.id })).body.data
    expect(asked.map(({ id }) => id)).not.toEqual(many.map(({ id }) => id))
    const answers = asked.map(({ id }) => ({ question_id: id, answer: 0 }))
    expect((await submit({ user_id, attempt_id, answers })).body.data.score).toBe(100)
  })
  it('refuses answers to other questions, duplicate answers, and attempts of other learners', async () => {
    const { quiz, text, user_id } = await makeLive()
    const { attempt_id } = (await start({ user_id, lesson_id: quiz.id })).body.data
    expect((await submit({ user_id, attempt_id, answers: [{ question_id: 'x', answer: 0 }] })).failure.code).toBe(
      'unknown_question',
    )
    const twice = [
      { question_id: 'one', answer: 0 },
      { question_id: 'one', answer: 1 },
    ]
    expect((await submit({ user_id, attempt_id, answers: twice })).failure.code).toBe('twice')
    expect((await submit({ user_id: user_id + 1, attempt_id, answers: [] })).status).toBe(404)
    expect((await submit({ user_id, attempt_id, answers: [], score: 100 })).status).toBe(400)
    expect((await start({ user_id, lesson_id: text.id })).failure.code).toBe('not_a_quiz')
    expect((await start({ user_id, lesson_id: quiz.id, component: 0 })).failure.code).toBe('not_a_quiz')
  })
  /** A mixed lesson with two quizzes, after the lessons of the live course. */
  const makeMixed = (moduleId: number, rules: object = {}) => {
    const part = (order: number) => ({
      type: 'quiz',
      order,
      content: { ...defaultContent('quiz'), ...rules, questions: [draftQuestion({ id: 'x' })] },
    })
    return makeLesson(server.db, {
      module_id: moduleId,
      position: 2,
      content_type: 'mixed',
      content: JSON.stringify({ ...defaultContent('mixed'), components: [part(0), part(1)] }),
    })
  }
  it('starts the quiz of a component, and requires all quizzes to complete a mixed lesson', async () => {
    const { module, user_id } = await makeLive()
    const mixed = await makeMixed(module.id)
    const pass = async (component: number) => {
      const { attempt_id } = (await start({ user_id, lesson_id: mixed.id, component })).body.data
      return (await submit({ user_id, attempt_id, answers: [{ question_id: 'x', answer: 0 }] })).body.data
    }
    expect(await pass(0)).toMatchObject({ is_passed: true, lesson_completed: false })
    expect(await pass(1)).toMatchObject({ is_passed: true, lesson_completed: true })
  })
  const unmarked = draftQuestion({ id: 'u', correctAnswer: null })
  const openEnded = draftQuestion({ id: 'o', type: 'short_answer', options: [], acceptedAnswers: [] })
  it.each([
    ['no correct answer marked', [unmarked], 'nothing_to_score'],
    ['open answers only', [openEnded], 'nothing_to_score'],
    ['no questions', [], 'no_questions'],
  ])('cannot start, pass or skip a quiz with %s', async (_, asked, code) => {
    const { quiz, user_id } = await makeLive({ questions: asked, passingScore: 0 })
    const reply = await start({ user_id, lesson_id: quiz.id })
    expect([reply.status, reply.failure.code]).toEqual([422, code])
    const said = await progress({ user_id, lesson_id: quiz.id, state: 'completed' })
    expect([said.status, said.failure.code]).toEqual([409, 'quiz_not_passed'])
  })
  it('fails an attempt that started when the quiz had nothing to score', async () => {
    const { quiz, user_id } = await makeLive({ passingScore: 0 })
    const { attempt_id } = (await start({ user_id, lesson_id: quiz.id })).body.data
    await server.db
      .updateTable('training_attempts')
      .set({ questions: JSON.stringify([openEnded]) })
      .where('id', '=', attempt_id)
      .execute()
    const answers = [{ question_id: 'o', answer: 'anything' }]
    expect((await submit({ user_id, attempt_id, answers })).body.data).toMatchObject({
      is_passed: false,
      score: 0,
      possible: 0,
      lesson_completed: false,
    })
  })
  it('lists every quiz a learner is stuck in, in course order', async () => {
    const { module, quiz, user_id, course } = await makeLive({ maxAttempts: 1 })
    const mixed = await makeMixed(module.id, { maxAttempts: 1 })
    for (const place of [
      { lesson_id: mixed.id, component: 1 },
      { lesson_id: mixed.id, component: 0 },
      { lesson_id: quiz.id },
    ]) {
      const { attempt_id } = (await start({ user_id, ...place })).body.data
      await submit({ user_id, attempt_id, answers: [] })
    }
    const stuck = async () =>
      (await author.send(listEnrollments, { body: { course_key: course.course_key } })).body.data[0]?.stuck
    const places = [
      { lesson_id: quiz.id, lesson_title: quiz.title, component: null },
      { lesson_id: mixed.id, lesson_title: mixed.title, component: 0 },
      { lesson_id: mixed.id, lesson_title: mixed.title, component: 1 },
    ]
    expect(await stuck()).toEqual(places)
    await author.send(grantAttempt, { body: { lesson_id: mixed.id, user_id, component: 0 } })
    expect(await stuck()).toEqual([places[0], places[2]])
  })
})

describe('POST /api/training/courses/analytics', () => {
  it('returns real figures, and says when there are none', async () => {
    const { course, text, quiz, user_id } = await makeLive()
    const { course_key } = course
    expect(await figures(course_key)).toMatchObject({
      hasFigures: false,
      enrolled: 1,
      started: 0,
      completionRate: 0,
      passRate: null,
    })
    await progress({ user_id, lesson_id: text.id, state: 'completed' })
    advanceClock(DAY)
    const { attempt_id } = (await start({ user_id, lesson_id: quiz.id })).body.data
    server.clock.advance(90 * SECOND)
    await submit({ user_id, attempt_id, answers: correctAnswers })
    const idle = (await makeCustomer(server.db)).id
    await author.send(enrollLearner, { body: { course_key, user_id: idle } })
    await progress({ user_id: idle, lesson_id: text.id, state: 'started' })
    advanceClock(20 * DAY)
    const seen = await figures(course_key)
    expect(seen).toMatchObject({
      hasFigures: true,
      enrolled: 2,
      started: 2,
      completed: 1,
      completionRate: 0.5,
      attempts: 1,
      passRate: 1,
      lessons: [
        { lesson_id: text.id, reached: 2, completed: 1, droppedOff: 1 },
        { lesson_id: quiz.id, reached: 1, completed: 1, droppedOff: 0 },
      ],
      quizzes: [
        {
          lesson_id: quiz.id,
          component: null,
          attempts: 1,
          learners: 1,
          passed: 1,
          passRate: 1,
          averageScore: 100,
          medianSeconds: 90,
        },
      ],
      stuck: [{ user_id: idle, lesson_id: text.id, reason: 'idle', component: null }],
    })
    expect(seen.medianDays).toBeCloseTo(1, 1)
    expect(seen.weeks).toHaveLength(12)
    expect(seen.quizzes[0]?.questions.map(({ question_id, share }) => [question_id, share])).toEqual([
      ['one', 1],
      ['three', 1],
      ['two', 1],
    ])
    expect((await server.as('growth.tab').send(readCourseFigures, { body: { course_key } })).status).toBe(403)
  })
})

describe('enrollments', () => {
  it('are created once, found by search, and deleted with all records', async () => {
    const { course, text, quiz, user_id } = await makeLive()
    const { course_key } = course
    await progress({ user_id, lesson_id: text.id, state: 'started' })
    await start({ user_id, lesson_id: quiz.id })
    const again = await author.send(enrollLearner, { body: { course_key, user_id } })
    expect(again.body.data.state).toBe('learning')
    expect((await author.send(listEnrollments, { body: { course_key, search: 'nobody-at-all' } })).body.data).toEqual(
      [],
    )
    const reply = await author.send(removeLearner, { body: { course_key, user_id } })
    expect(reply.body.data).toEqual({ user_id, deleted: { attempts: 1, progress: 2 } })
    expect((await author.send(removeLearner, { body: { course_key, user_id } })).status).toBe(404)
    expect((await author.send(enrollLearner, { body: { course_key, user_id: 999_999 } })).status).toBe(422)
    const draft = await makeCourse(server.db)
    expect((await author.send(enrollLearner, { body: { course_key: draft.course_key, user_id } })).failure.code).toBe(
      'not_in_production',
    )
  })
  it('are offered to users who are not enrolled, stretchers first, by name, email or ID', async () => {
    const { course, user_id } = await makeLive()
    const { course_key } = course
    const find = async (search: string) =>
      (await author.send(findCandidates, { body: { course_key, search } })).body.data.map((one) => one.user_id)
    const plain = await makeCustomer(server.db, { first_name: 'Aurelia', last_name: 'Quill' })
    const stretcher = await makeCustomer(server.db, { first_name: 'Zora', last_name: 'Quill' })
    const at = server.clock.now()
    const gone = await makeCustomer(server.db, {
      last_name: 'Quill',
      blocked_at: at,
      blocked_reason: 'Erased',
      erased_at: at,
    })
    await makeStretcher(server.db, { customer_id: stretcher.id })
    expect(await find('quill')).toEqual([stretcher.id, plain.id])
    expect((await find(String(plain.id)))[0]).toBe(plain.id)
    await author.send(enrollLearner, { body: { course_key, user_id: stretcher.id } })
    expect(await find('quill')).toEqual([plain.id])
    expect(await find(String(user_id))).not.toContain(user_id)
    expect((await author.send(enrollLearner, { body: { course_key, user_id: gone.id } })).failure.code).toBe('no_user')
    expect((await author.send(findCandidates, { body: { course_key: 'nowhere', search: 'x' } })).status).toBe(404)
    expect((await author.send(findCandidates, { body: { course_key, search: ' ' } })).status).toBe(400)
    const other = await server.as('growth.tab').send(findCandidates, { body: { course_key, search: 'quill' } })
    expect(other.status).toBe(403)
  })
  it('lose the attempts and progress of a deleted lesson', async () => {
    const { quiz, user_id } = await makeLive()
    await start({ user_id, lesson_id: quiz.id })
    const reply = await author.send(deleteLesson, { body: { lesson_id: quiz.id } })
    expect(reply.body.data.deleted).toEqual({ attempts: 1, progress: 1, assets: 0 })
  })
  it('are created for a new stretcher in every required course in production, once', async () => {
    const { course, text, quiz, user_id } = await makeLive()
    await server.db.updateTable('training_courses').set({ is_required: true }).where('id', '=', course.id).execute()
    await makeCourse(server.db, { is_required: true })
    const fresh = (await makeCustomer(server.db)).id
    expect(await enrollInRequiredCourses(server.db, [fresh], server.clock.now())).toBe(1)
    expect(await enrollInRequiredCourses(server.db, [fresh], server.clock.now())).toBe(0)
    await progress({ user_id, lesson_id: text.id, state: 'completed' })
    const { attempt_id } = (await start({ user_id, lesson_id: quiz.id })).body.data
    await submit({ user_id, attempt_id, answers: correctAnswers })
    expect([...(await findTrainingProgress(server.db, [user_id, fresh, 999_999]))].sort()).toEqual(
      [
        [user_id, { required: 1, completed: 1 }],
        [fresh, { required: 1, completed: 0 }],
      ].sort(),
    )
    expect((await findTrainingProgress(server.db, [])).size).toBe(0)
  })
})

describe('the training of a stretcher', () => {
  const require = (id: number) =>
    server.db.updateTable('training_courses').set({ is_required: true }).where('id', '=', id).execute()
  const statusOf = async (id: number) =>
    (await server.db.selectFrom('stretchers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()).status

  /** A stretcher in training with two required courses, done except for the quiz answers. */
  async function makeTrainee() {
    const first = await makeLive()
    const second = await makeLive()
    const { user_id } = first
    await author.send(enrollLearner, { body: { course_key: second.course.course_key, user_id } })
    const { id } = await makeStretcher(server.db, { customer_id: user_id, status: 'in_training' })
    const endings: (() => ReturnType<typeof submit>)[] = []
    for (const { course, text, quiz } of [first, second]) {
      await require(course.id)
      await progress({ user_id, lesson_id: text.id, state: 'completed' })
      const { attempt_id } = (await start({ user_id, lesson_id: quiz.id })).body.data
      endings.push(() => submit({ user_id, attempt_id, answers: correctAnswers }))
    }
    return { id, endings }
  }

  it('ends with the last required course, and is audited once', async () => {
    const { id, endings } = await makeTrainee()
    await endings[0]?.()
    expect(await statusOf(id)).toBe('in_training')
    await endings[1]?.()
    const row = await server.db.selectFrom('stretchers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect([row.status, row.trained_at]).toEqual(['active', server.clock.now()])
    const audits = await server.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', 'stretcher')
      .where('subject_id', '=', String(id))
      .execute()
    expect(audits).toEqual([{ action: 'stretcher_trained' }])
  })

  it('ends when two courses are completed at the same moment', async () => {
    const { id, endings } = await makeTrainee()
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        server.db,
      )
      return rows[0]?.count === 2
    }
    let ended: Promise<unknown> = Promise.resolve()
    await server.db.transaction().execute(async (tx) => {
      await sql`select from stretchers where id = ${id} for update`.execute(tx)
      ended = Promise.all(endings.map((end) => end()))
      // Both courses are completed but not committed. Without the lock, neither transaction would see the other.
      await eventually(waiting)
    })
    await ended
    expect(await statusOf(id)).toBe('active')
  })

  it('does not end for a deactivated stretcher', async () => {
    const { id, endings } = await makeTrainee()
    await server.db
      .updateTable('stretchers')
      .set({ status: 'inactive', deactivated_at: server.clock.now() })
      .where('id', '=', id)
      .execute()
    for (const end of endings) await end()
    expect(await statusOf(id)).toBe('inactive')
  })
})
