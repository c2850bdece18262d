import { listAssets, readAssetUsage } from '@limber/contract/training/assets/asset.ts'
import { updateCourse } from '@limber/contract/training/courses/course.ts'
import { enrollLearner, grantAttempt, listEnrollments } from '@limber/contract/training/learners/enrollment.ts'
import { readCourseFigures } from '@limber/contract/training/learners/figures.ts'
import { startAttempt, submitAttempt } from '@limber/contract/training/learners/portal.ts'
import { type ContentInputOf, MixedContent } from '@limber/contract/training/lessons/content.ts'
import { createLesson, type Lesson, updateLesson } from '@limber/contract/training/lessons/lesson.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

type Components = NonNullable<ContentInputOf<'mixed'>['components']>

const start = (body: object) => server.anonymous().send(startAttempt, { body: body as never }, { headers })
const componentsOf = (lesson: Lesson) => (lesson.content_data as ContentInputOf<'mixed'>).components as Components
const textOf = (text: string) => ({ type: 'text' as const, content: { trainingMixedComponentText: text } })
const quizOf = (question: string, rules: object = {}) => ({
  type: 'quiz' as const,
  content: { questions: [draftQuestion({ id: question })], maxAttempts: 1, ...rules },
})
/** Components in another order, as a form sends them. */
const inOrder = (...components: (object | undefined)[]) =>
  components.map((component, order) => ({ ...component, order }))

/** A mixed lesson of a course in production, and one enrolled learner. */
async function makeLive(components: object[]) {
  const course = await makeCourse(server.db)
  const module = await makeModule(server.db, { course_id: course.id })
  const { course_key } = course
  const place = { course_key, module_key: module.module_key, lesson_key: 'mixed', title: 'Mixed' }
  const made = await author.send(createLesson, {
    body: { ...place, content_type: 'mixed', content_data: { components: inOrder(...components) as never } },
  })
  expect(made.status, made.text).toBe(200)
  await author.send(updateCourse, { body: { course_key, is_active: true } })
  const user_id = (await makeCustomer(server.db)).id
  await author.send(enrollLearner, { body: { course_key, user_id } })
  const lesson_id = made.body.data.id
  const save = async (parts: object[]) => {
    const body = { lesson_id, content_type: 'mixed' as const, content_data: { components: parts as never } }
    const reply = await author.send(updateLesson, { body })
    expect(reply.status, reply.text).toBe(200)
    return reply.body.data
  }
  const answer = async (component: number, question_id: string, isRight: boolean) => {
    const { attempt_id } = (await start({ user_id, lesson_id, component })).body.data
    const body = { user_id, attempt_id, answers: [{ question_id, answer: isRight ? 0 : 1 }] }
    return (await server.anonymous().send(submitAttempt, { body }, { headers })).body.data
  }
  const codeOf = async (component: number) => (await start({ user_id, lesson_id, component })).failure?.code
  const stuck = async () => (await author.send(listEnrollments, { body: { course_key } })).body.data[0]?.stuck
  return { course_key, user_id, lesson_id, lesson: made.body.data, save, answer, codeOf, stuck }
}

describe('attempts at the quizzes of a mixed lesson', () => {
  it('stay with their quiz when components are reordered', async () => {
    const live = await makeLive([quizOf('a'), textOf('Breathe'), quizOf('b')])
    await live.answer(0, 'a', true)
    await live.answer(2, 'b', false)
    const [a, text, b] = componentsOf(live.lesson)
    await live.save(inOrder(b, a, text))
    expect([await live.codeOf(0), await live.codeOf(1)]).toEqual(['no_attempts_left', 'passed'])
    expect(await live.stuck()).toMatchObject([{ lesson_id: live.lesson_id, component: 0 }])
    const { course_key, lesson_id, user_id } = live
    const { quizzes } = (await author.send(readCourseFigures, { body: { course_key } })).body.data
    expect(quizzes.map(({ component, passed }) => [component, passed])).toEqual([
      [0, 0],
      [1, 1],
    ])
    expect((await author.send(grantAttempt, { body: { lesson_id, user_id, component: 0 } })).status).toBe(200)
    expect((await live.answer(0, 'b', true)).lesson_completed).toBe(true)
  })

  it('are not inherited by a quiz that replaces a removed one', async () => {
    const live = await makeLive([quizOf('a'), quizOf('b')])
    await live.answer(0, 'a', false)
    const [, b] = componentsOf(live.lesson)
    await live.save(inOrder(b, quizOf('c')))
    expect(await live.stuck()).toEqual([])
    expect(await live.answer(0, 'b', true)).toMatchObject({ is_passed: true, lesson_completed: false })
    expect(await live.answer(1, 'c', true)).toMatchObject({ is_passed: true, lesson_completed: true })
  })

  it('stay with the quiz that has their questions when components have no ids', async () => {
    const live = await makeLive([textOf('Breathe'), quizOf('a')])
    await live.answer(1, 'a', true)
    await live.save(inOrder(quizOf('a', { maxAttempts: 2 }), textOf('Breathe')))
    expect(await live.codeOf(0)).toBe('passed')
  })

  it('stay with their quiz in lessons saved before components had ids', async () => {
    const live = await makeLive([quizOf('a')])
    const older = MixedContent.parse({ components: inOrder(quizOf('a'), quizOf('b')) })
    await server.db
      .updateTable('training_lessons')
      .set({ content: JSON.stringify(older) })
      .where('id', '=', live.lesson_id)
      .execute()
    await live.answer(1, 'b', true)
    const body = { lesson_id: live.lesson_id, title: 'Read again' }
    const [a, b] = componentsOf((await author.send(updateLesson, { body })).body.data)
    expect([a?.id, b?.id]).toEqual([0, 1])
    await live.save(inOrder(b, a))
    expect(await live.codeOf(0)).toBe('passed')
  })

  it('refuse two components with the same id', async () => {
    const { lesson_id } = await makeLive([quizOf('a')])
    const components = inOrder({ ...quizOf('a'), id: 7 }, { ...quizOf('b'), id: 7 })
    const body = { lesson_id, content_type: 'mixed' as const, content_data: { components: components as never } }
    expect((await author.send(updateLesson, { body })).status).toBe(400)
  })
})

describe('components of a lesson that is no longer mixed', () => {
  const image = `${'k'.repeat(26)}.png`
  const withImage = textOf(`![Hip](/api/training/files/${image})`)
  const kept = [{ ...withImage, id: 5, order: 0 }]

  async function makePlace() {
    const course = await makeCourse(server.db)
    const { module_key, id } = await makeModule(server.db, { course_id: course.id })
    return { course_key: course.course_key, module_key, module_id: id }
  }
  const uses = async () => {
    const row = await server.db
      .selectFrom('training_assets')
      .select('id')
      .where('name', '=', image)
      .executeTakeFirstOrThrow()
    return (await author.send(readAssetUsage, { body: { asset_id: row.id } })).body.data
  }
  beforeAll(async () => {
    await server.db
      .insertInto('training_assets')
      .values({
        name: image,
        type: 'image',
        filename: 'hip.png',
        mime_type: 'image/png',
        quality: 'high',
        original_size: 1,
        final_size: 1,
        width: 1,
        height: 1,
        duration: null,
        pages: null,
        course_id: null,
        lesson_id: null,
        worker_id: null,
        created_at: server.clock.now(),
      })
      .execute()
  })

  it('are kept as last saved, for new and for changed lessons', async () => {
    const { module_id, ...place } = await makePlace()
    const made = await author.send(createLesson, {
      body: { ...place, lesson_key: 'new', title: 'New', content_type: 'text', kept_components: kept },
    })
    expect(made.body.data.kept_components).toMatchObject(kept)
    const { id } = await makeLesson(server.db, { module_id, content_type: 'mixed' })
    const change = { lesson_id: id, content_type: 'text' as const, kept_components: kept }
    const changed = (await author.send(updateLesson, { body: change })).body.data
    expect(changed.kept_components).toMatchObject(kept)
    const again = (await author.send(updateLesson, { body: { lesson_id: id, content_type: 'mixed' } })).body.data
    expect(componentsOf(again)).toMatchObject(kept)
    expect(again.kept_components).toEqual([])
  })

  it('count as uses of their files: deleting one warns although no learner sees it', async () => {
    const { module_id } = await makePlace()
    const { id } = await makeLesson(server.db, { module_id })
    await author.send(updateLesson, { body: { lesson_id: id, kept_components: kept } })
    const found = async () => (await uses()).find(({ lesson_id }) => lesson_id === id)
    expect(await found()).toMatchObject({ isLive: false })
    expect((await author.send(listAssets, { body: { lesson_id: id } })).body.assets).toEqual([])
    const content_data = { trainingLessonContent: 'Hold.' }
    await author.send(updateLesson, { body: { lesson_id: id, content_type: 'text', content_data } })
    expect(await found()).toBeTruthy()
    await author.send(updateLesson, { body: { lesson_id: id, kept_components: [] } })
    expect(await found()).toBeUndefined()
  })

  it('are sanitized like the visible ones', async () => {
    const { module_id } = await makePlace()
    const { id } = await makeLesson(server.db, { module_id })
    const save = (text: string) =>
      author.send(updateLesson, { body: { lesson_id: id, kept_components: [{ ...textOf(text), order: 0 }] } })
    const { kept_components } = (await save('a <script>x()</script> b')).body.data
    expect(JSON.stringify(kept_components)).not.toContain('<script>')
    expect((await save('[x](javascript:x)')).failure.code).toBe('bad_link')
  })
})
