// @module-tag slow
import { defaultContent } from '@limber/contract/training/lessons/content.ts'
import { addQuestion, type Lesson, putLesson } from '@limber/contract/training/lessons/lesson.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { makeQueryClient } from '#platform/api/query-client.ts'
import { Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { Providers } from '#ui/theme/providers.tsx'
import Training from '../training.screen.tsx'
import { makeLesson, makeQuestion, serveTraining } from '../training.testing.ts'
import { QuizFields } from './quiz-fields.tsx'

const long = `${'Which of these muscles bends the knee when it pulls'} and why?`

async function manage(...questions: Partial<Question>[]) {
  const content_data = { ...defaultContent('quiz'), questions: questions.map((one) => makeQuestion(one)) }
  const { server, stored } = serveTraining({ lessons: [makeLesson({ content_type: 'quiz', content_data })] })
  const keep = (lesson: Lesson) => {
    stored.lessons = [lesson]
    return { success: true, data: lesson, notes: [] }
  }
  server
    .answer(putLesson, ({ body }) => keep(makeLesson({ ...(body as object), version: 6 })))
    .answer(addQuestion, ({ body }) => {
      const [before = makeLesson()] = stored.lessons
      const { questions: asked } = before.content_data as { questions: Question[] }
      return keep({ ...before, content_data: { ...content_data, questions: [...asked, body as Question] } })
    })
  const path = '/worker/managing/training?course=hip_basics&tab=lessons&quiz=11'
  const view = await renderScreen(<Training />, { server, path })
  await screen.findByRole('button', { name: 'Add Question' }, { timeout: 15_000 })
  const dialog = within(screen.getByRole('dialog', { name: 'Manage Quiz Questions' }))
  const sent = () =>
    server.requests.flatMap((one) => (one.call === putLesson ? [(one.body as Lesson).content_data] : [])).at(-1)
  return { ...view, server, dialog, sent }
}

const form = (name: string) => screen.findByRole('dialog', { name })
const questionText = (of: HTMLElement) => within(of).getByRole('textbox', { name: /^Question/ })

describe('Manage Quiz Questions', () => {
  it('adds a question, which requires its text', async () => {
    const { user, server, dialog } = await manage()
    expect(dialog.getByText('No questions added yet.')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Add Question' }))
    const open = await form('Add Quiz Question')
    const add = within(open).getByRole<HTMLButtonElement>('button', { name: 'Add Question' })
    expect(add.disabled).toBe(true)
    expect(within(open).getAllByRole('textbox', { name: /^Answer \d$/ })).toHaveLength(4)
    await user.type(questionText(open), 'Which joint?')
    await user.click(add)
    expect((await screen.findAllByText('Question added successfully')).length).toBeGreaterThan(0)
    expect(server.requests.find(({ call }) => call === addQuestion)?.body).toMatchObject({
      id: expect.stringMatching(/^\d{13}$/),
      trainingQuizQuestion: 'Which joint?',
      type: 'multiple_choice',
      options: ['', '', '', ''],
      points: 1,
    })
    expect(await dialog.findByText('Which joint?')).toBeTruthy()
  })

  it('edits a question, and leaves it with Cancel Edit', async () => {
    const { user, dialog, sent } = await manage({ id: '1' }, { id: '2', trainingQuizQuestion: long })
    expect(dialog.getByText(`${long.slice(0, 50)}...`)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Edit question 2' }))
    await user.click(within(await form('Edit Quiz Question')).getByRole('button', { name: 'Cancel Edit' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit Quiz Question' })).toBeNull())
    await user.click(dialog.getByRole('button', { name: 'Edit question 2' }))
    const open = await form('Edit Quiz Question')
    await user.clear(questionText(open))
    await user.type(questionText(open), 'Shorter?')
    await user.click(within(open).getByRole('button', { name: 'Update Question' }))
    expect((await screen.findAllByText('Question updated successfully')).length).toBeGreaterThan(0)
    expect(sent()).toMatchObject({ questions: [{ id: '1' }, { id: '2', trainingQuizQuestion: 'Shorter?' }] })
  })

  it('duplicates a question, and adds the copy on save', async () => {
    const { user, server, dialog } = await manage({ id: '1', trainingQuizQuestion: 'First?', points: 4 })
    await user.click(dialog.getByRole('button', { name: 'Duplicate question 1' }))
    const open = await form('Add Quiz Question')
    expect((questionText(open) as HTMLTextAreaElement).value).toBe('First?')
    await user.type(questionText(open), ' Again?')
    await user.click(within(open).getByRole('button', { name: 'Add Question' }))
    expect((await screen.findAllByText('Question added successfully')).length).toBeGreaterThan(0)
    expect(server.requests.find(({ call }) => call === addQuestion)?.body).toMatchObject({
      id: expect.stringMatching(/^\d{13}$/),
      trainingQuizQuestion: 'First? Again?',
      points: 4,
    })
  })

  it('closes only the question with Escape, and itself with the next one', async () => {
    const { user, dialog } = await manage({ id: '1' })
    await user.click(dialog.getByRole('button', { name: 'Edit question 1' }))
    await form('Edit Quiz Question')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit Quiz Question' })).toBeNull())
    expect(screen.getByRole('dialog', { name: 'Manage Quiz Questions' })).toBeTruthy()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('deletes a question after a confirmation', async () => {
    const { user, dialog, sent } = await manage({ id: '1' }, { id: '2', trainingQuizQuestion: 'Second?' })
    await user.click(dialog.getByRole('button', { name: 'Delete question 1' }))
    const question = await screen.findByRole('alertdialog', { name: 'Are you sure you want to delete this question?' })
    await user.click(within(question).getByRole('button', { name: 'Confirm' }))
    await screen.findAllByText('Question deleted successfully')
    expect(sent()).toMatchObject({ questions: [{ trainingQuizQuestion: 'Second?' }] })
  })

  it('saves the quiz settings, and shows the banner text on failure', async () => {
    const { user, server, dialog, sent } = await manage({ id: '1' })
    const save = dialog.getByRole<HTMLButtonElement>('button', { name: 'Save quiz settings' })
    expect(save.disabled).toBe(true)
    await user.clear(dialog.getByRole('textbox', { name: 'Passing score' }))
    await user.type(dialog.getByRole('textbox', { name: 'Passing score' }), '85')
    await user.type(dialog.getByRole('textbox', { name: 'Time limit' }), '10')
    await user.click(dialog.getByRole('checkbox', { name: 'Randomize questions' }))
    await user.click(save)
    expect((await screen.findAllByText('Quiz settings saved successfully')).length).toBeGreaterThan(0)
    expect(sent()).toMatchObject({ passingScore: 85, timeLimit: 10, randomizeQuestions: true, maxAttempts: 3 })
    server.answer(putLesson, new Refusal(422, 'bad', 'No.'))
    await user.click(dialog.getByRole('checkbox', { name: 'Randomize questions' }))
    await user.click(save)
    expect(await dialog.findByText('Failed to save quiz settings: No.')).toBeTruthy()
  })

  it('opens questions of older data with other field names', async () => {
    const older = { id: '9', question: 'Older?', explanation: 'Because.', type: 'true_false', correctAnswer: 1 }
    const { user, dialog } = await manage(older as object)
    await user.click(await dialog.findByRole('button', { name: 'Edit question 1' }))
    expect(
      within(await form('Edit Quiz Question')).getByRole<HTMLInputElement>('radio', { name: 'False' }).checked,
    ).toBe(true)
  })
})

describe('the quiz builder of a lesson', () => {
  async function build(isMixed: boolean) {
    let latest = defaultContent('quiz')
    function Held() {
      const [quiz, setQuiz] = useState(latest)
      latest = quiz
      return <QuizFields quiz={quiz} isMixed={isMixed} onChange={setQuiz} />
    }
    const user = userEvent.setup()
    render(
      <Providers cache={makeQueryClient()}>
        <Held />
      </Providers>,
    )
    const title = isMixed ? 'Add Quiz Question' : 'Configure Quiz Questions'
    await user.click(screen.getByRole('button', { name: title }))
    const dialog = await form(title)
    return { user, dialog, builder: within(dialog), title, quiz: () => latest }
  }

  it('stays open on a click outside, and closes with Done', async () => {
    const { user, builder, title } = await build(false)
    const overlay = document.querySelector<HTMLElement>('.mantine-Modal-inner, [class*="Modal-inner"]')
    await user.click(overlay ?? document.body)
    expect(screen.getByRole('dialog', { name: title })).toBeTruthy()
    await user.click(builder.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('asks before it discards an unfinished question, and says what is missing', async () => {
    const { user, dialog, builder, title } = await build(true)
    await user.type(questionText(dialog), 'Which?')
    expect(builder.getByText('Fill in every answer of the multiple-choice question.')).toBeTruthy()
    await user.click(builder.getByRole('button', { name: 'Done' }))
    const question = await screen.findByRole('alertdialog', { name: 'Discard the question you are writing?' })
    await user.click(within(question).getByRole('button', { name: 'Keep editing' }))
    expect(screen.getByRole('dialog', { name: title })).toBeTruthy()
    expect((questionText(dialog) as HTMLTextAreaElement).value).toBe('Which?')
    await user.click(builder.getByRole('button', { name: 'Done' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('starts the next question after a save, and keeps the correct answer with its text', async () => {
    const { user, dialog, builder, quiz } = await build(false)
    await user.type(questionText(dialog), 'Which?')
    await user.type(builder.getByRole('textbox', { name: 'Answer 3' }), 'Third')
    await user.click(builder.getByRole('radio', { name: 'Answer 3 is correct' }))
    await user.click(builder.getByRole('button', { name: 'Remove answer 1' }))
    await user.click(builder.getByRole('button', { name: 'Add Question' }))
    expect(quiz().questions).toMatchObject([
      { trainingQuizQuestion: 'Which?', options: ['', 'Third', ''], correctAnswer: 1 },
    ])
    expect((questionText(dialog) as HTMLTextAreaElement).value).toBe('')
    await user.click(builder.getByRole('button', { name: 'Edit question 1' }))
    await user.type(questionText(dialog), ' One')
    await user.click(builder.getByRole('button', { name: 'Update Question' }))
    expect(quiz().questions).toMatchObject([{ trainingQuizQuestion: 'Which? One' }])
    await user.click(builder.getByRole('button', { name: 'Duplicate question 1' }))
    await user.type(questionText(dialog), ' Two')
    await user.click(builder.getByRole('button', { name: 'Add Question' }))
    expect(quiz().questions).toMatchObject([
      { trainingQuizQuestion: 'Which? One' },
      { trainingQuizQuestion: 'Which? One Two', options: ['', 'Third', ''], correctAnswer: 1 },
    ])
  })

  it('works by keyboard: Enter moves through the answers, Ctrl-Enter adds the question and starts the next', async () => {
    const { user, dialog, quiz } = await build(false)
    await waitFor(() => expect(document.activeElement).toBe(questionText(dialog)))
    await user.keyboard('Which?')
    await user.click(within(dialog).getByRole('textbox', { name: 'Answer 1' }))
    await user.keyboard('One{Enter}Two{Enter}{Enter}Four{Enter}Five')
    await user.click(within(dialog).getByRole('radio', { name: 'Answer 4 is correct' }))
    await user.keyboard('{Control>}{Enter}{/Control}')
    // The third was left empty, so it is removed.
    expect(quiz().questions).toMatchObject([{ options: ['One', 'Two', 'Four', 'Five'], correctAnswer: 2 }])
    await waitFor(() => expect(document.activeElement).toBe(questionText(dialog)))
    expect((questionText(dialog) as HTMLTextAreaElement).value).toBe('')
  })

  it('lets a number be emptied and retyped, and uses the default if it stays empty', async () => {
    const { user, builder, dialog, quiz } = await build(false)
    const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
    await user.type(field('Points'), '{Backspace}')
    expect(field('Points').value).toBe('')
    await user.type(field('Points'), '5')
    await user.type(questionText(dialog), 'Which?')
    await user.click(builder.getByRole('button', { name: 'Add Question' }))
    expect(quiz().questions).toMatchObject([{ points: 5 }])
    await user.click(builder.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.type(field('Passing score'), '{Backspace}{Backspace}85')
    expect(quiz().passingScore).toBe(85)
    await user.type(field('Max attempts'), '{Backspace}')
    expect(field('Max attempts').value).toBe('')
    await user.tab()
    expect([field('Max attempts').value, quiz().maxAttempts]).toEqual(['3', 3])
  })

  it('allows 2 to 10 answers', async () => {
    const { user, builder } = await build(false)
    for (const place of [4, 3]) await user.click(builder.getByRole('button', { name: `Remove answer ${place}` }))
    expect(builder.getByRole<HTMLButtonElement>('button', { name: 'Remove answer 1' }).disabled).toBe(true)
    const add = builder.getByRole<HTMLButtonElement>('button', { name: 'Add answer' })
    for (let answers = 2; answers < 10; answers++) await user.click(add)
    expect(builder.getAllByRole('textbox', { name: /^Answer \d+$/ })).toHaveLength(10)
    expect(add.disabled).toBe(true)
  })

  it('of a mixed lesson has no multiple select, requires every answer, and asks before it deletes', async () => {
    const { user, dialog, builder, quiz } = await build(true)
    const type = builder.getByRole<HTMLSelectElement>('combobox', { name: 'Question type' })
    expect([...type.options].map(({ value }) => value)).toEqual(['multiple_choice', 'true_false', 'short_answer'])
    const add = builder.getByRole<HTMLButtonElement>('button', { name: 'Add Question' })
    await user.type(questionText(dialog), 'Which?')
    expect(add.disabled).toBe(true)
    for (const place of [1, 2, 3, 4]) await user.type(builder.getByRole('textbox', { name: `Answer ${place}` }), 'x')
    await user.click(add)
    expect(quiz().questions).toHaveLength(1)
    await user.click(builder.getByRole('button', { name: 'Delete question 1' }))
    const question = await screen.findByRole('alertdialog', { name: 'Are you sure you want to delete this question?' })
    await user.click(within(question).getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(quiz().questions).toHaveLength(0))
  })
})
