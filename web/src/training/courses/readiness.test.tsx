import { checkReadiness, type ReadinessItem } from '@limber/contract/training/courses/course.ts'
import { contentSchemas } from '@limber/contract/training/lessons/content.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { renderScreen } from '#platform/testing/testing.tsx'
import Training from '../training.screen.tsx'
import { makeCourse, makeItem, makeLesson, makeModule, makeQuestion, serveTraining } from '../training.testing.ts'
import { placeOf } from './readiness-place.ts'

afterEach(cleanup)

const path = '/worker/managing/training'
const SLOW = { timeout: 15_000 }
const unmarked = makeQuestion({ id: 'q2', trainingQuizQuestion: 'Which joint is largest?', correctAnswer: null })

describe('a checklist item links to its place', () => {
  it.each<[Partial<ReadinessItem>, object]>([
    [
      { kind: 'prerequisite_not_in_production', course_key: 'safety' },
      { course: 'hip', edit: 'safety' },
    ],
    [{ kind: 'no_modules' }, { tab: 'modules', course: 'hip' }],
    [{ kind: 'no_lessons' }, { tab: 'lessons', course: 'hip' }],
    [
      { kind: 'module_without_lessons', lesson_id: null },
      { tab: 'lessons', course: 'hip', module: 'anatomy' },
    ],
    [
      { kind: 'inactive_prerequisite', lesson_id: null },
      { tab: 'modules', course: 'hip', edit: 'anatomy' },
    ],
    [{ kind: 'inactive_prerequisite' }, { tab: 'lessons', course: 'hip', lesson: 11 }],
    [{ kind: 'empty_lesson' }, { tab: 'lessons', course: 'hip', lesson: 11 }],
    [{ kind: 'missing_media' }, { tab: 'lessons', course: 'hip', lesson: 11 }],
    [{ kind: 'quiz_without_questions' }, { tab: 'lessons', course: 'hip', quiz: 11 }],
    [{ kind: 'nothing_to_score' }, { tab: 'lessons', course: 'hip', quiz: 11 }],
    [
      { kind: 'question_without_answer', question_id: 'q' },
      { tab: 'lessons', course: 'hip', quiz: 11, question: 'q' },
    ],
    [
      { kind: 'question_without_answer', question_id: 'q', component: 0 },
      { tab: 'lessons', course: 'hip', lesson: 11, part: 1, question: 'q' },
    ],
  ])('%o', (item, place) => {
    expect(placeOf('hip', makeItem(item))).toEqual(place)
  })

  const follow = async (item: ReadinessItem, stored: Parameters<typeof serveTraining>[0] = {}) => {
    const { server } = serveTraining(stored)
    server.answer(checkReadiness, { data: { badge: 'Production', canActivate: true, items: [item] } })
    const view = await renderScreen(<Training />, { server, path })
    await view.user.click(await screen.findByRole('button', { name: item.text }))
    await view.user.click(await screen.findByRole('link', { name: item.text }))
    return view
  }
  const hasFocus = (element: HTMLElement) => waitFor(() => expect(element.contains(document.activeElement)).toBe(true))

  it('a quiz question, open in its form', async () => {
    const content_data = contentSchemas.quiz.parse({ questions: [makeQuestion(), unmarked] })
    const item = makeItem({ kind: 'question_without_answer', question_id: 'q2', text: 'It has no correct answer.' })
    await follow(item, { lessons: [makeLesson({ content_type: 'quiz', content_data })] })
    const form = await screen.findByRole('dialog', { name: 'Edit Quiz Question' }, SLOW)
    expect(within(form).getByDisplayValue('Which joint is largest?')).toBeTruthy()
    expect(within(form).getByText(/^Mark the correct answer/)).toBeTruthy()
    await hasFocus(form)
  })

  it('a question of a mixed lesson, open in the builder of its component', async () => {
    const quiz = (questions: object[], order: number) => ({ type: 'quiz', order, content: { questions } })
    const content_data = contentSchemas.mixed.parse({ components: [quiz([makeQuestion()], 0), quiz([unmarked], 1)] })
    const item = makeItem({ kind: 'question_without_answer', component: 1, question_id: 'q2', text: 'No answer.' })
    await follow(item, { lessons: [makeLesson({ content_type: 'mixed', content_data })] })
    const builder = await screen.findByRole('dialog', { name: 'Add Quiz Question' }, SLOW)
    const form = within(builder).getByRole('region', { name: 'Edit question' })
    expect(within(form).getByDisplayValue('Which joint is largest?')).toBeTruthy()
    await hasFocus(builder)
  })

  it('an empty module, at the button that adds a lesson', async () => {
    const modules = [makeModule(), makeModule({ id: 2, module_key: 'bare', title: 'Bare', position: 1 })]
    await follow(
      makeItem({ kind: 'module_without_lessons', module_id: 2, module_key: 'bare', lesson_id: null, text: 'Bare.' }),
      { modules },
    )
    await hasFocus(await screen.findByRole('button', { name: 'Add lesson to Bare' }))
  })

  it('asks before leaving a course form with unsaved changes', async () => {
    const { server } = serveTraining({ courses: [makeCourse()] })
    const item = makeItem({ kind: 'no_lessons', lesson_id: null, text: 'The course has no lessons.' })
    server.answer(checkReadiness, { data: { badge: 'Needs Lessons', canActivate: false, items: [item] } })
    const { user, router } = await renderScreen(<Training />, { server, path: `${path}?edit=hip_basics` })
    const dialog = await screen.findByRole('dialog', { name: 'Edit Course' }, SLOW)
    await user.type(within(dialog).getByRole('textbox', { name: /Title/ }), ' two')
    await user.click(await within(dialog).findByRole('link', { name: item.text }))
    const question = await screen.findByRole('alertdialog')
    expect(router.state.location.href).toContain('edit=hip_basics')
    await user.click(within(question).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(router.state.location.href).toContain('tab=lessons'))
  })
})

describe('a choice question without a correct answer', () => {
  const lessonsPath = `${path}?course=hip_basics&tab=lessons`
  const openEnded = makeQuestion({ id: 'q3', type: 'short_answer', acceptedAnswers: [] })
  const show = async (content: object, more: string) => {
    const { server } = serveTraining({
      lessons: [makeLesson({ content_type: 'quiz', content_data: contentSchemas.quiz.parse(content) })],
    })
    await renderScreen(<Training />, { server, path: `${lessonsPath}&${more}` })
    return within(await screen.findByRole('list', { name: 'Questions' }, SLOW)).getAllByRole('listitem')
  }

  it.each(['quiz=11', 'lesson=11'])('is marked in the editor (%s)', async (more) => {
    const rows = await show({ questions: [makeQuestion(), unmarked, openEnded] }, more)
    expect(rows.map((row) => within(row).queryByText('No correct answer') !== null)).toEqual([false, true, false])
    expect(screen.queryByText(/^Nothing to score/)).toBeNull()
  })

  it.each(['quiz=11', 'lesson=11'])('shows that the quiz has nothing to score (%s)', async (more) => {
    await show({ questions: [unmarked, openEnded] }, more)
    expect(screen.getByText(/^Nothing to score: no question has a correct answer/)).toBeTruthy()
  })
})
