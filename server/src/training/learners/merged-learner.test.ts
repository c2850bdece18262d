import { mergeUsers } from '@limber/contract/support/customers/account.ts'
import { updateCourse } from '@limber/contract/training/courses/course.ts'
import { enrollLearner, grantAttempt, listEnrollments } from '@limber/contract/training/learners/enrollment.ts'
import { recordProgress, startAttempt, submitAttempt } from '@limber/contract/training/learners/portal.ts'
import { defaultContent } from '@limber/contract/training/lessons/content.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
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

/** A course in production with a text and a quiz that allows one attempt. */
async function makeLive() {
  const course = await makeCourse(server.db)
  const module = await makeModule(server.db, { course_id: course.id })
  const text = await makeLesson(server.db, { module_id: module.id })
  const questions = [draftQuestion({ id: 'a' })]
  const quiz = await makeLesson(server.db, {
    module_id: module.id,
    position: 1,
    content_type: 'quiz',
    content: JSON.stringify({ ...defaultContent('quiz'), questions, maxAttempts: 1 }),
    max_attempts: 1,
  })
  const { course_key } = course
  await author.send(updateCourse, { body: { course_key, is_active: true } })
  return { course_key, text, quiz }
}
const makeLearner = async (course_key: string) => {
  const user_id = (await makeCustomer(server.db, { first_name: 'Wren', last_name: 'Doubleday' })).id
  await author.send(enrollLearner, { body: { course_key, user_id } })
  return user_id
}
const complete = (user_id: number, lesson_id: number) =>
  server.anonymous().send(recordProgress, { body: { user_id, lesson_id, state: 'completed', seconds: 0 } }, { headers })
const startQuiz = (user_id: number, lesson_id: number) =>
  server.anonymous().send(startAttempt, { body: { user_id, lesson_id } }, { headers })
async function answer(user_id: number, lesson_id: number, isRight: boolean) {
  const { attempt_id } = (await startQuiz(user_id, lesson_id)).body.data
  const body = { user_id, attempt_id, answers: [{ question_id: 'a', answer: isRight ? 0 : 1 }] }
  return (await server.anonymous().send(submitAttempt, { body }, { headers })).body.data
}
async function merge(from: number, into: number) {
  const body = { duplicateId: from, reason: 'duplicate' }
  const reply = await server.asSteppedUp('users.overview').send(mergeUsers, { params: { id: String(into) }, body })
  expect(reply.status, reply.text).toBe(200)
}
const learners = async (course_key: string) =>
  (await author.send(listEnrollments, { body: { course_key } })).body.data.map(({ user_id, state, lessons_done }) => ({
    user_id,
    state,
    lessons_done,
  }))

it('moves its training to an account without training', async () => {
  const { course_key, text, quiz } = await makeLive()
  const from = await makeLearner(course_key)
  const into = (await makeCustomer(server.db)).id
  await complete(from, text.id)
  await answer(from, quiz.id, false)
  await author.send(grantAttempt, { body: { lesson_id: quiz.id, user_id: from } })
  await merge(from, into)
  expect(await learners(course_key)).toEqual([{ user_id: into, state: 'learning', lessons_done: 1 }])
  expect((await startQuiz(into, quiz.id)).body.data).toMatchObject({ attempts_used: 2, attempts_left: 0 })
})

it('combines the progress of both accounts and uses up no extra attempt', async () => {
  const { course_key, text, quiz } = await makeLive()
  const [from, into] = [await makeLearner(course_key), await makeLearner(course_key)]
  await complete(into, text.id)
  await answer(into, quiz.id, false)
  await answer(from, quiz.id, true)
  await complete(from, text.id)
  await merge(from, into)
  expect(await learners(course_key)).toEqual([{ user_id: into, state: 'completed', lessons_done: 2 }])
  expect((await startQuiz(into, quiz.id)).failure.code).toBe('passed')
})

it('keeps the own attempts when the other account failed too', async () => {
  const { course_key, quiz } = await makeLive()
  const [from, into] = [await makeLearner(course_key), await makeLearner(course_key)]
  await answer(into, quiz.id, false)
  await answer(from, quiz.id, false)
  await merge(from, into)
  expect((await startQuiz(into, quiz.id)).failure.code).toBe('no_attempts_left')
  const granted = await author.send(grantAttempt, { body: { lesson_id: quiz.id, user_id: into } })
  expect(granted.body.data.attempts_left).toBe(1)
})
