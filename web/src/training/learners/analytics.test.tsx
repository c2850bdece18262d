import { listTimeline } from '@limber/contract/support/timeline/timeline.ts'
import {
  type Enrollment,
  enrollLearner,
  findCandidates,
  grantAttempt,
  listEnrollments,
  removeLearner,
} from '@limber/contract/training/learners/enrollment.ts'
import { type CourseFigures, readCourseFigures } from '@limber/contract/training/learners/figures.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import Training from '../training.screen.tsx'
import { makeCourse, serveTraining } from '../training.testing.ts'

const path = '/worker/managing/training?course=hip_basics&tab=analytics'

const figures: CourseFigures = {
  hasFigures: true,
  enrolled: 40,
  started: 30,
  completed: 12,
  completionRate: 0.3,
  medianDays: 4.25,
  medianSeconds: 5400,
  attempts: 55,
  passRate: 0.6,
  weeks: [{ week: '2026-11-02', started: 9, completed: 3 }],
  lessons: [
    {
      lesson_id: 11,
      title: 'Joints',
      module_key: 'anatomy',
      module_title: 'Anatomy',
      reached: 30,
      completed: 20,
      droppedOff: 4,
      medianSeconds: 300,
    },
  ],
  quizzes: [],
  stuck: [
    {
      user_id: 5,
      name: 'Ada L.',
      lesson_id: 11,
      lesson_title: 'Joints',
      component: null,
      reason: 'attempts_used',
      attempts: 3,
      best_score: 40,
      since: '2026-11-10T09:00:00.000Z',
    },
  ],
}

describe('the Analytics tab', () => {
  it('shows learner figures, and grants an attempt to a stuck learner', async () => {
    const { server } = serveTraining()
    server.answer(readCourseFigures, { data: figures })
    server.answer(grantAttempt, { success: true, data: { attempts_left: 1 } })
    const { user } = await renderScreen(<Training />, { server, path })
    expect(await screen.findByText('Enrolled')).toBeTruthy()
    expect(screen.getByText('40')).toBeTruthy()
    expect(screen.getByText('30%')).toBeTruthy()
    expect(screen.getByText('20 of 30')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Grant Ada L. another attempt' }))
    expect(await screen.findByText('Ada L. has another attempt')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === grantAttempt)?.body).toEqual({
      lesson_id: 11,
      user_id: 5,
      component: null,
    })
  })

  it('says when there are no figures', async () => {
    const { server } = serveTraining()
    server.answer(readCourseFigures, { data: { ...figures, hasFigures: false } })
    await renderScreen(<Training />, { server, path })
    expect(await screen.findByText(/Analytics is still to be implemented/)).toBeTruthy()
  })
})

describe('the learners of a course', () => {
  const learners = `${path}&view=learners`
  const makeLearner = (more: Partial<Enrollment> = {}): Enrollment => ({
    user_id: 5,
    name: 'Ada Lin',
    email: 'ada@example.com',
    state: 'learning',
    enrolled_at: '2026-11-01T09:00:00.000Z',
    started_at: '2026-11-02T09:00:00.000Z',
    completed_at: null,
    last_seen_at: '2026-11-03T09:00:00.000Z',
    lessons_done: 2,
    lessons: 8,
    stuck: [],
    ...more,
  })
  const live = () => {
    const { server } = serveTraining({ courses: [makeCourse({ is_active: true, enrolledCount: 2 })] })
    const rows = [
      makeLearner(),
      makeLearner({
        user_id: 6,
        name: 'Bo Ray',
        state: 'stuck',
        stuck: [
          { lesson_id: 11, lesson_title: 'Joints', component: 0 },
          { lesson_id: 11, lesson_title: 'Joints', component: 2 },
        ],
      }),
    ]
    const stored = { rows }
    server.answer(listEnrollments, ({ body }) => {
      const data = stored.rows.filter(({ state }) => !body.state || state === body.state)
      return { data, pagination: { page: 1, limit: 25, totalItems: data.length, totalPages: 1 } }
    })
    return { server, stored }
  }

  it('are listed with state and progress, filtered by the URL', async () => {
    const { server } = live()
    const { user, router } = await renderScreen(<Training />, { server, path: learners })
    const row = (await screen.findByText('Ada Lin')).closest('tr')
    expect(row?.textContent).toMatch(/In progress.*2 of 8/)
    for (const part of [1, 3]) expect(screen.getByText(`No attempts left: Joints, part ${part}`)).toBeTruthy()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'stuck')
    await waitFor(() => expect(screen.queryByText('Ada Lin')).toBeNull())
    expect(router.state.location.href).toContain('state=stuck')
  })

  it('open beside the list with their timeline', async () => {
    const { server } = live()
    const entry = { key: 'quiz-1', group: 'training', kind: 'quiz', at: '2026-11-03T09:00:00.000Z' } as const
    const none = { text: '', quote: null, tone: null, amount: null, balance: null, stars: null, link: null }
    server.answer(listTimeline, {
      entries: [{ ...entry, ...none, title: 'Failed the quiz of Joints' }],
      next: null,
      failed: [],
    })
    const session = makeSession(['training.manage'])
    const { user, router } = await renderScreen(<Training />, { server, path: learners, session })
    await user.click(await screen.findByRole('button', { name: /^Ada Lin/ }))
    const rail = await screen.findByRole('complementary', { name: 'About Ada Lin' }, { timeout: 10_000 })
    expect(await within(rail).findByText('Failed the quiz of Joints')).toBeTruthy()
    expect(router.state.location.href).toContain('learner=5')
    await user.click(screen.getByRole('button', { name: 'Close the learner' }))
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'About Ada Lin' })).toBeNull())
  })

  it('can be granted another attempt at each quiz they are stuck in', async () => {
    const { server } = live()
    server.answer(grantAttempt, { success: true, data: { attempts_left: 1 } })
    const { user } = await renderScreen(<Training />, { server, path: learners })
    await user.click(await screen.findByRole('button', { name: 'Grant Bo Ray another attempt at Joints, part 3' }))
    expect(await screen.findByText('Bo Ray has another attempt')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === grantAttempt)?.body).toEqual({
      lesson_id: 11,
      user_id: 6,
      component: 2,
    })
  })

  it('are withdrawn after a confirmation that names what is deleted', async () => {
    const { server, stored } = live()
    server.answer(removeLearner, async () => {
      stored.rows = stored.rows.slice(1)
      // The list may reload before the reply arrives.
      await cache.invalidateQueries()
      await waitFor(() => expect(screen.queryByRole('button', { name: 'Withdraw Ada Lin' })).toBeNull())
      return { success: true, data: { user_id: 5, deleted: { attempts: 1, progress: 2 } } }
    })
    const { user, cache } = await renderScreen(<Training />, { server, path: learners })
    await user.click(await screen.findByRole('button', { name: 'Withdraw Ada Lin' }))
    const question = await screen.findByRole('alertdialog', { name: 'Withdraw Ada Lin?' })
    expect(question.textContent).toContain('progress and quiz attempts')
    await user.click(within(question).getByRole('button', { name: 'Withdraw' }))
    expect(await screen.findByText('Ada Lin was withdrawn')).toBeTruthy()
  })

  it('are found among users and enrolled one by one', async () => {
    const { server } = live()
    const zora = { user_id: 9, name: 'Zora Quill', email: 'zora@example.com', isStretcher: true }
    server
      .answer(findCandidates, { data: [zora] })
      .answer(enrollLearner, new Refusal(422, 'no_user', 'This user does not exist.'))
    const { user } = await renderScreen(<Training />, { server, path: learners })
    await user.click(await screen.findByRole('button', { name: 'Enroll learners' }))
    const finder = within(await screen.findByRole('dialog', { name: 'Enroll learners' }))
    await user.type(finder.getByRole('textbox', { name: 'Find a user' }), 'quill')
    const enroll = await finder.findByRole('button', { name: 'Enroll Zora Quill' })
    expect(finder.getByText('zora@example.com, stretcher')).toBeTruthy()
    await user.click(enroll)
    expect(await finder.findByText('Failed to enroll learner: This user does not exist.')).toBeTruthy()
    server.answer(enrollLearner, { success: true, data: makeLearner({ user_id: 9, name: 'Zora Quill' }) })
    await user.click(enroll)
    expect(await finder.findByText('Zora Quill is now enrolled.')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === enrollLearner)?.body).toEqual({
      course_key: 'hip_basics',
      user_id: 9,
    })
  })

  it('cannot be enrolled before the course is in production', async () => {
    const { server } = serveTraining()
    server.answer(listEnrollments, { data: [], pagination: { page: 1, limit: 25, totalItems: 0, totalPages: 0 } })
    await renderScreen(<Training />, { server, path: learners })
    expect(await screen.findByText('You can enroll learners after the course is in production.')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Enroll learners' }).disabled).toBe(true)
  })
})
