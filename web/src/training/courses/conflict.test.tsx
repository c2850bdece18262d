// @module-tag slow
import { updateCourse } from '@limber/contract/training/courses/course.ts'
import { updateModule } from '@limber/contract/training/courses/module.ts'
import { defaultContent } from '@limber/contract/training/lessons/content.ts'
import { putLesson, updateLesson } from '@limber/contract/training/lessons/lesson.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { type FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import Training from '../training.screen.tsx'
import { makeCourse, makeLesson, makeModule, makeQuestion, serveTraining } from '../training.testing.ts'

const path = '/worker/managing/training'
const stale = (current: object) =>
  new Refusal(409, 'stale', 'Someone else changed it. Reload and try again.', { current })
const bodies = (server: FakeServer, call: unknown) =>
  server.requests.flatMap((one) => (one.call === call ? [one.body as Record<string, unknown>] : []))

async function retitle(user: Awaited<ReturnType<typeof renderScreen>>['user'], name: string, submit: string) {
  // The lesson form loads its editors first. Until then, a loading dialog has the same name.
  const title = await screen.findByRole('textbox', { name: /Title/ }, { timeout: 15_000 })
  const form = screen.getByRole('dialog', { name })
  await user.clear(title)
  await user.type(title, 'Mine')
  await user.click(within(form).getByRole('button', { name: submit }))
}

describe('when two workers edit at once, the second one chooses', () => {
  it('on a course: saving mine keeps their changes to fields I did not touch', async () => {
    const { server } = serveTraining()
    const theirs = makeCourse({ title: 'Theirs', description: 'Their text.', version: 9 })
    server.answer(updateCourse, ({ body }) =>
      body.version === 9 ? { success: true, data: makeCourse({ version: 10 }), notes: [] } : stale(theirs),
    )
    const { user } = await renderScreen(<Training />, { server, path: `${path}?edit=hip_basics` })
    await retitle(user, 'Edit Course', 'Update Course')
    const choice = await screen.findByRole('dialog', { name: 'Someone else changed this course' })
    expect(within(choice).getByRole('row', { name: /^Title Hip Basics Theirs Mine$/ })).toBeTruthy()
    await user.click(within(choice).getByRole('button', { name: 'Save mine' }))
    expect(await screen.findByText('Course updated successfully')).toBeTruthy()
    expect(bodies(server, updateCourse).at(-1)).toMatchObject({
      title: 'Mine',
      description: 'Their text.',
      version: 9,
    })
  })

  it('on a course reloaded behind the open form: the original version is sent', async () => {
    const { server, stored } = serveTraining()
    server.answer(updateCourse, stale(makeCourse({ title: 'Theirs', version: 9 })))
    const { user, cache } = await renderScreen(<Training />, { server, path: `${path}?edit=hip_basics` })
    await screen.findByRole('dialog', { name: 'Edit Course' })
    stored.courses = [makeCourse({ title: 'Theirs', version: 9 })]
    await cache.invalidateQueries()
    await retitle(user, 'Edit Course', 'Update Course')
    await screen.findByRole('dialog', { name: 'Someone else changed this course' })
    expect(bodies(server, updateCourse)[0]?.version).toBe(3)
  })

  it('on a module: theirs can be kept', async () => {
    const { server } = serveTraining()
    server.answer(updateModule, stale(makeModule({ title: 'Theirs', version: 9 })))
    const { user } = await renderScreen(<Training />, {
      server,
      path: `${path}?course=hip_basics&tab=modules&edit=anatomy`,
    })
    await retitle(user, 'Edit Module', 'Update Module')
    const choice = await screen.findByRole('dialog', { name: 'Someone else changed this module' })
    await user.click(within(choice).getByRole('button', { name: 'Use theirs' }))
    expect(screen.queryByRole('dialog', { name: 'Edit Module' })).toBeNull()
    expect(screen.queryByText('Module updated successfully')).toBeNull()
    expect(bodies(server, updateModule)).toHaveLength(1)
  })

  it('on a lesson: my title and their text are both kept', async () => {
    const { server } = serveTraining()
    const text = { ...defaultContent('text'), trainingLessonContent: 'Their text.' }
    const theirs = makeLesson({ content_data: text, version: 9 })
    server.answer(updateLesson, ({ body }) =>
      body.version === 9 ? { success: true, data: makeLesson(), notes: [] } : stale(theirs),
    )
    const { user } = await renderScreen(<Training />, {
      server,
      path: `${path}?course=hip_basics&tab=lessons&lesson=11`,
    })
    await retitle(user, 'Edit Lesson', 'Update Lesson')
    const choice = await screen.findByRole('dialog', { name: 'Someone else changed this lesson' })
    expect(within(choice).getAllByText(/Their text\./)).toHaveLength(2)
    await user.click(within(choice).getByRole('button', { name: 'Save mine' }))
    expect(await screen.findByText('Lesson updated successfully')).toBeTruthy()
    expect(bodies(server, updateLesson).at(-1)).toMatchObject({ title: 'Mine', content_data: text, version: 9 })
  })
})

describe('two editors of one quiz', () => {
  const first = makeQuestion({ id: '1', trainingQuizQuestion: 'First?' })
  const second = makeQuestion({ id: '2', trainingQuizQuestion: 'Second?' })
  const quizOf = (version: number, ...questions: Question[]) =>
    makeLesson({ content_type: 'quiz', content_data: { ...defaultContent('quiz'), questions }, version })
  const open = async (current: ReturnType<typeof quizOf>) => {
    const { server } = serveTraining({ lessons: [quizOf(5, first, second)] })
    server.answer(putLesson, ({ body }) =>
      body.version === current.version ? { success: true, data: current, notes: [] } : stale(current),
    )
    const screenOf = await renderScreen(<Training />, {
      server,
      path: `${path}?course=hip_basics&tab=lessons&quiz=11`,
    })
    return screenOf
  }
  const rewrite = async (user: Awaited<ReturnType<typeof renderScreen>>['user']) => {
    await user.click(await screen.findByRole('button', { name: 'Edit question 1' }))
    const form = await screen.findByRole('dialog', { name: 'Edit Quiz Question' })
    const questionText = within(form).getAllByRole('textbox')[0] as HTMLElement
    await user.clear(questionText)
    await user.type(questionText, 'Mine?')
    await user.click(within(form).getByRole('button', { name: 'Update Question' }))
    return form
  }
  const sent = (server: FakeServer) => {
    const { content_data } = bodies(server, putLesson).at(-1) as { content_data: { questions: Question[] } }
    return content_data.questions.map((one) => one.trainingQuizQuestion)
  }

  it('lose nothing when they changed different questions', async () => {
    const other = makeQuestion({ id: '2', trainingQuizQuestion: 'Theirs?' })
    const third = makeQuestion({ id: '3', trainingQuizQuestion: 'Third?' })
    const { user, server } = await open(quizOf(9, first, other, third))
    await rewrite(user)
    expect((await screen.findAllByText('Question updated successfully')).length).toBeGreaterThan(0)
    expect(sent(server)).toEqual(['Mine?', 'Theirs?', 'Third?'])
  })

  it('see a conflict when they changed the same question, and can save over it', async () => {
    const { user, server } = await open(quizOf(9, makeQuestion({ id: '1', trainingQuizQuestion: 'Theirs?' }), second))
    const form = await rewrite(user)
    expect(await within(form).findByText(/Someone else changed this question to “Theirs\?”/)).toBeTruthy()
    expect(bodies(server, putLesson)).toHaveLength(1)
    await user.click(within(form).getByRole('button', { name: 'Update Question' }))
    expect((await screen.findAllByText('Question updated successfully')).length).toBeGreaterThan(0)
    expect(sent(server)).toEqual(['Mine?', 'Second?'])
  })
})
