import { grantAttempt } from '@limber/contract/training/enrolment.ts'
import { type CourseFigures, readCourseFigures } from '@limber/contract/training/figures.ts'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderScreen } from '#platform/testing.tsx'
import Training from './training.screen.tsx'
import { holding } from './training.testing.ts'

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
  it('shows the figures of learners, and helps one who is stuck', async () => {
    const { server } = holding()
    server.answer(readCourseFigures, { data: figures })
    server.answer(grantAttempt, { success: true, data: { attempts_left: 1 } })
    const { user } = await renderScreen(<Training />, { server, path })
    expect(await screen.findByText('Enrolled')).toBeTruthy()
    expect(screen.getByText('40')).toBeTruthy()
    expect(screen.getByText('30 %')).toBeTruthy()
    expect(screen.getByText('20 of 30')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Give Ada L. another attempt' }))
    expect(await screen.findByText('Ada L. has another attempt')).toBeTruthy()
    expect(server.asked.find(({ call }) => call === grantAttempt)?.body).toEqual({
      lesson_id: 11,
      user_id: 5,
      component: null,
    })
  })

  it('says so while there are none', async () => {
    const { server } = holding()
    server.answer(readCourseFigures, { data: { ...figures, hasFigures: false } })
    await renderScreen(<Training />, { server, path })
    expect(await screen.findByText(/Analytics is still to be implemented/)).toBeTruthy()
  })
})
