import { paginate } from '@limber/contract/kit/page.ts'
import { listAssets } from '@limber/contract/training/assets/asset.ts'
import { getCourse } from '@limber/contract/training/courses/course.ts'
import { contentSchemas } from '@limber/contract/training/lessons/content.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { Refusal, renderScreen } from '#platform/testing/testing.tsx'
import Training from '../training.screen.tsx'
import { makeCourse, makeLesson, makeModule, makeQuestion, serveTraining } from '../training.testing.ts'
import { ContentView } from './content-view.tsx'
import { groupByModule, nextPlace, type Place, previousPlace, START } from './navigation.ts'
import { QuizView } from './quiz-view.tsx'

afterEach(cleanup)

const path = '/worker/managing/training?preview=hip_basics'

describe('moving through a preview', () => {
  const modules = groupByModule({
    course: makeCourse(),
    modules: [
      makeModule({ module_key: 'empty' }),
      makeModule({ module_key: 'a' }),
      makeModule({ module_key: 'none' }),
      makeModule({ module_key: 'b' }),
    ],
    lessons: [
      makeLesson({ id: 1, module_key: 'a' }),
      makeLesson({ id: 2, module_key: 'a' }),
      makeLesson({ id: 3, module_key: 'b' }),
    ],
  })

  it('goes through course, module and lessons, skips empty modules, and ends', () => {
    const way: Place[] = []
    for (let place: Place | undefined = START; place; place = nextPlace(modules, place)) way.push(place)
    expect(way).toEqual([
      { page: 'course' },
      { page: 'module', module: 1 },
      { page: 'lesson', module: 1, lesson: 0, isFromModulePage: true },
      { page: 'lesson', module: 1, lesson: 1, isFromModulePage: true },
      { page: 'lesson', module: 3, lesson: 0 },
    ])
  })

  it('goes back one step at a time', () => {
    const way: Place[] = [{ page: 'lesson', module: 3, lesson: 0 }]
    for (let place = way[0]; place && place.page !== 'course'; way.push(place)) place = previousPlace(modules, place)
    expect(way).toEqual([
      { page: 'lesson', module: 3, lesson: 0 },
      { page: 'lesson', module: 1, lesson: 1 },
      { page: 'lesson', module: 1, lesson: 0 },
      { page: 'module', module: 1 },
      { page: 'course' },
    ])
  })

  it('goes back to the module page where a module was started', () => {
    const first = nextPlace(modules, { page: 'module', module: 3 }) as Place
    expect(previousPlace(modules, first)).toEqual({ page: 'module', module: 3 })
  })

  it('says when there is nothing to preview, and closes', async () => {
    const { server } = serveTraining({ modules: [], lessons: [] })
    const { user, router } = await renderScreen(<Training />, { server, path })
    const text = 'Unable to load preview content. The course may not have any modules or lessons yet.'
    const alert = await screen.findByText(text)
    await user.click(within(alert.parentElement as HTMLElement).getByRole('button', { name: 'Close Preview' }))
    expect(router.state.location.href).not.toContain('preview')
  })

  it('shows in the banner why it could not load', async () => {
    const { server } = serveTraining()
    server.answer(getCourse, new Refusal(404, 'not_found', 'This course does not exist.'))
    const { user } = await renderScreen(<Training />, { server, path })
    expect(await screen.findByText('Failed to load course for preview: This course does not exist.')).toBeTruthy()
    const asked = server.requests.length
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(server.requests.length).toBeGreaterThan(asked))
  })

  it('shows a frame that runs no scripts', async () => {
    const { server } = serveTraining()
    server.answer(listAssets, {
      success: true,
      assets: [],
      pagination: { page: 1, limit: 100, totalItems: 0, totalPages: 1 },
    })
    await renderScreen(<Training />, { server, path })
    const frame = await screen.findByTitle<HTMLIFrameElement>('Course')
    expect(frame.getAttribute('sandbox')).toBe('allow-same-origin')
    expect(frame.getAttribute('srcdoc')).toContain("script-src 'none'")
  })
})

describe('preview keys', () => {
  const content_data = contentSchemas.quiz.parse({ questions: [makeQuestion()], maxAttempts: 2 })
  const lessons = [
    makeLesson({ content_type: 'quiz', content_data }),
    makeLesson({ id: 12, lesson_key: 'after', title: 'After the quiz', position: 1 }),
  ]
  /** The quiz in its frame. Keys go to the focused element, as in a browser. */
  const openQuiz = async () => {
    const { server } = serveTraining({ lessons })
    server.answer(listAssets, { success: true, assets: [], pagination: paginate(1, 100, 0) })
    const view = await renderScreen(<Training />, { server, path: `${path}&lesson=11` })
    const frame = await screen.findByTitle<HTMLIFrameElement>('Course')
    const page = () => frame.contentDocument as Document
    await waitFor(() => expect(page().body.textContent).toContain('Submit Answers'))
    const inside = within(page().body)
    const hit = (key: string) =>
      act(() => void fireEvent.keyDown(page().activeElement ?? page().body, { key, bubbles: true }))
    const answer = async (option: string) => {
      fireEvent.click(inside.getByLabelText(option))
      const submit = inside.getByRole('button', { name: 'Submit Answers' })
      submit.focus()
      fireEvent.click(submit)
      await inside.findByText(/^(Passed|Not passed)/)
    }
    return { ...view, page, inside, hit, answer }
  }

  it('work after answers are submitted, because the result has focus', async () => {
    const { page, inside, hit, answer } = await openQuiz()
    await answer('Biceps')
    expect(page().activeElement).toBe(inside.getByRole('status'))
    hit('ArrowRight')
    expect(await inside.findByRole('heading', { name: 'After the quiz' })).toBeTruthy()
    hit('ArrowLeft')
    expect(await inside.findByRole('heading', { name: 'Joints' })).toBeTruthy()
  })

  it('close the preview with Escape after answers are submitted', async () => {
    const { router, hit, answer } = await openQuiz()
    await answer('Biceps')
    hit('Escape')
    await waitFor(() => expect(router.state.location.href).not.toContain('preview'))
  })

  it('work when nothing has focus', async () => {
    const { page, inside } = await openQuiz()
    act(() => void fireEvent.keyDown(page().body, { key: 'ArrowRight' }))
    expect(await inside.findByRole('heading', { name: 'After the quiz' })).toBeTruthy()
  })

  it('stay with the questions on a new attempt', async () => {
    const { page, inside, answer } = await openQuiz()
    await answer('Calf')
    fireEvent.click(inside.getByRole('button', { name: 'Try again' }))
    await inside.findByRole('button', { name: 'Submit Answers' })
    expect(page().activeElement).toBe(inside.getByRole('list', { name: 'Questions' }))
  })
})

describe('the content of a lesson', () => {
  const show = (content_type: string, content_data: object) =>
    render(<ContentView lesson={{ content_type, content_data } as never} />)

  it.each([
    ['video', 'Video URL not set'],
    ['audio', 'Audio URL not set'],
    ['quiz', 'No questions added to this quiz yet.'],
    ['mixed', 'No components added to this mixed content lesson yet.'],
    ['hologram', 'Content type "hologram" not yet implemented in preview.'],
  ])('says when %s is empty', (type, text) => {
    show(type, {})
    expect(screen.getByText(text)).toBeTruthy()
  })

  it('gives each mixed component a class, and says when a quiz has no questions', () => {
    const content = contentSchemas.mixed.parse({
      components: [
        { type: 'text', order: 0, content: { trainingMixedComponentText: '**Hold** the heel.' } },
        { type: 'quiz', order: 1 },
        { type: 'video', order: 2, content: { url: 'https://media.example.com/a.mp4', duration: 245 } },
      ],
    })
    const { container } = show('mixed', content)
    expect(container.querySelector('.lesson-component-0 strong')?.textContent).toBe('Hold')
    expect(screen.getByText('No questions added yet.')).toBeTruthy()
    const video = container.querySelector('video')
    expect(video?.getAttribute('height')).toBe('300')
    expect(container.querySelector('source')?.getAttribute('type')).toBe('video/mp4')
    expect(screen.getByText('Duration 4:05')).toBeTruthy()
  })

  it('shows a video 400 px high', () => {
    const { container } = show('video', { url: '/api/training/files/01h8xgjwbwbaq4z1h8xgjwbwba.mp4' })
    expect(container.querySelector('video')?.getAttribute('height')).toBe('400')
  })
})

describe('a quiz in the preview', () => {
  const rules = { timeLimit: null, randomizeQuestions: false, passingScore: 70, maxAttempts: 2 }

  it('is answered and scored, with correct answers and explanations', async () => {
    const user = userEvent.setup()
    const questions = [
      makeQuestion(),
      makeQuestion({ id: '2', type: 'true_false', trainingQuizQuestion: 'Pain is fine.', correctAnswer: 1, points: 1 }),
      makeQuestion({
        id: '3',
        type: 'multiple_select',
        trainingQuizQuestion: 'Which are arms?',
        correctAnswer: null,
        correctAnswers: [0, 1],
        points: 1,
      }),
      makeQuestion({
        id: '4',
        type: 'short_answer',
        trainingQuizQuestion: 'Name the joint.',
        acceptedAnswers: ['Hip joint'],
        points: 1,
      }),
    ]
    render(<QuizView quiz={{ ...rules, questions }} none="" />)
    const question = (name: string) => screen.getByRole('group', { name })
    await user.click(within(question('Which muscle bends the elbow?')).getByLabelText('Biceps'))
    await user.click(within(question('Pain is fine.')).getByLabelText('True'))
    await user.click(within(question('Which are arms?')).getByLabelText('Biceps'))
    await user.click(within(question('Which are arms?')).getByLabelText('Triceps'))
    await user.type(within(question('Name the joint.')).getByRole('textbox'), '  hip   JOINT ')
    await user.click(screen.getByRole('button', { name: 'Submit Answers' }))
    expect(screen.getByText('Passed: 4 of 5 points, 80%')).toBeTruthy()
    expect(within(question('Pain is fine.')).getByText('Incorrect.')).toBeTruthy()
    expect(within(question('Which muscle bends the elbow?')).getByText(/The biceps does/)).toBeTruthy()
  })

  it.each<[string, Partial<Question>]>([
    ['no correct answer marked', { correctAnswer: null }],
    ['only an open question', { type: 'short_answer', acceptedAnswers: [] }],
  ])('cannot be submitted or passed with %s', async (_, lack) => {
    const user = userEvent.setup()
    render(<QuizView quiz={{ ...rules, passingScore: 0, questions: [makeQuestion(lack)] }} none="" />)
    expect(screen.getByText(/^Nothing to score: no question in this quiz has a correct answer/)).toBeTruthy()
    const field = screen.queryByRole('textbox')
    if (field) await user.type(field, 'Biceps')
    else await user.click(screen.getByLabelText('Biceps'))
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Submit Answers' }).disabled).toBe(true)
    expect(screen.queryByText(/^Passed/)).toBeNull()
  })

  it('does not start with a time limit and nothing to score', () => {
    const questions = [makeQuestion({ correctAnswer: null })]
    render(<QuizView quiz={{ ...rules, timeLimit: 5, questions }} none="" />)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Start Quiz' }).disabled).toBe(true)
  })

  it('can be repeated until no attempts are left', async () => {
    const user = userEvent.setup()
    render(<QuizView quiz={{ ...rules, questions: [makeQuestion()] }} none="" />)
    const fail = async () => {
      await user.click(screen.getByLabelText('Calf'))
      await user.click(screen.getByRole('button', { name: 'Submit Answers' }))
    }
    await fail()
    expect(screen.getByText('Not passed: 0 of 2 points, 0%')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await fail()
    expect(screen.getByText('No attempts left.')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Try again' }).disabled).toBe(true)
  })

  it('with a time limit starts on request', async () => {
    const user = userEvent.setup()
    render(<QuizView quiz={{ ...rules, timeLimit: 5, questions: [makeQuestion()] }} none="" />)
    expect(screen.queryByText('Which muscle bends the elbow?')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Start Quiz' }))
    expect(screen.getByRole('timer').textContent).toContain('5:00')
  })

  it('ends when time is up, and says so', async () => {
    const user = userEvent.setup()
    render(<QuizView quiz={{ ...rules, timeLimit: 0.01, questions: [makeQuestion()] }} none="" />)
    await user.click(screen.getByRole('button', { name: 'Start Quiz' }))
    expect(await screen.findByText(/^Time is up/, {}, { timeout: 10_000 })).toBeTruthy()
    expect(screen.getByText(/^Not passed: 0 of/)).toBeTruthy()
    expect(screen.queryByRole('timer')).toBeNull()
  })

  it('supports older data', () => {
    const { trainingQuizQuestion, trainingQuizExplanation, ...rest } = makeQuestion()
    const older = { ...rest, question: trainingQuizQuestion, explanation: trainingQuizExplanation }
    render(<ContentView lesson={{ content_type: 'quiz', content_data: { questions: [older] } } as never} />)
    expect(screen.getByText('Which muscle bends the elbow?')).toBeTruthy()
  })
})
