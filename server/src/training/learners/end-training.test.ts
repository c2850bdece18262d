import { promoteToStretcher } from '@limber/contract/stretchers/stretcher.ts'
import { deleteCourse, updateCourse } from '@limber/contract/training/courses/course.ts'
import { removeLearner } from '@limber/contract/training/learners/enrollment.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeCourse } from '../training.factory.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** A stretcher in training, enrolled in required courses, each completed or not. */
async function makeTrainee(...done: boolean[]) {
  const customer_id = (await makeCustomer(server.db)).id
  const { id } = await makeStretcher(server.db, { customer_id, status: 'in_training' })
  const now = server.clock.now()
  const keys: string[] = []
  for (const isDone of done) {
    const course = await makeCourse(server.db, { is_required: true })
    const moments = { enrolled_at: now, started_at: now, last_seen_at: now, completed_at: isDone ? now : null }
    await server.db
      .insertInto('training_enrolments')
      .values({ course_id: course.id, customer_id, ...moments })
      .execute()
    keys.push(course.course_key)
  }
  const status = async () =>
    (await server.db.selectFrom('stretchers').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
  return { user_id: customer_id, open: keys.at(-1) ?? '', status }
}
const author = () => server.as('training.manage')
const ways = [
  ['is deleted', (course_key: string) => author().send(deleteCourse, { body: { course_key } })],
  [
    'is no longer required',
    (course_key: string) => author().send(updateCourse, { body: { course_key, is_required: false } }),
  ],
  [
    'is removed from the learner',
    (course_key: string, user_id: number) => author().send(removeLearner, { body: { course_key, user_id } }),
  ],
] as const

it.each(ways)('ends when the last incomplete required course %s', async (_, act) => {
  const trainee = await makeTrainee(true, false)
  expect((await act(trainee.open, trainee.user_id)).status).toBe(200)
  expect(await trainee.status()).toBe('active')
})

it.each(ways)(
  'continues while another course is incomplete, or none was ever completed, when a course %s',
  async (_, act) => {
    for (const trainee of [await makeTrainee(true, false, false), await makeTrainee(false)]) {
      expect((await act(trainee.open, trainee.user_id)).status).toBe(200)
      expect(await trainee.status()).toBe('in_training')
    }
  },
)

it('ends immediately for a user who completed every required course before the promotion', async () => {
  await server.db.updateTable('training_courses').set({ is_required: false }).execute()
  const course = await makeCourse(server.db, { is_required: true })
  const promoted = async (completed_at: Date | null) => {
    const { id, email } = await makeCustomer(server.db)
    const now = server.clock.now()
    const moments = { enrolled_at: now, started_at: now, last_seen_at: now, completed_at }
    await server.db
      .insertInto('training_enrolments')
      .values({ course_id: course.id, customer_id: id, ...moments })
      .execute()
    const body = { email, needsTraining: true }
    return (await server.as('businesses.manage').send(promoteToStretcher, { body })).body.stretcher.status
  }
  expect([await promoted(server.clock.now()), await promoted(null)]).toEqual(['active', 'in_training'])
})
