import { z } from 'zod'
import { Text } from '#kit/values.ts'

export const QuestionType = z.enum(['multiple_choice', 'multiple_select', 'true_false', 'short_answer'])
export type QuestionType = z.infer<typeof QuestionType>

export const MAX_OPTIONS = 10
export const MAX_QUESTIONS = 200

const Option = Text(1000, 0)

const fields = {
  /** Made by whoever adds the question; unique within its quiz. */
  id: z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'may hold letters, digits and _ . - only'),
  type: QuestionType.default('multiple_choice'),
  options: z.array(Option).max(MAX_OPTIONS, 'A question has at most 10 answers.').default(['', '', '', '']),
  /** The index of the right option; of true_false, 0 is True and 1 is False. */
  correctAnswer: z
    .int()
    .min(0)
    .max(MAX_OPTIONS - 1)
    .nullable()
    .default(null),
  /** The indexes of all right options, for multiple_select. */
  correctAnswers: z
    .array(
      z
        .int()
        .min(0)
        .max(MAX_OPTIONS - 1),
    )
    .max(MAX_OPTIONS)
    .default([]),
  /** What counts as right for short_answer, whatever the case and the spaces; none: it is not scored. */
  acceptedAnswers: z.array(Text(500)).max(20).default([]),
  points: z.int().min(1, 'A question is worth at least 1 point.').max(1000).default(1),
}

/** A question as replies carry it. */
export const Question = z.strictObject({
  id: fields.id,
  trainingQuizQuestion: z.string(),
  type: QuestionType,
  options: z.array(z.string()),
  correctAnswer: z.int().nullable(),
  correctAnswers: z.array(z.int()),
  acceptedAnswers: z.array(z.string()),
  trainingQuizExplanation: z.string(),
  points: z.int(),
})
export type Question = z.infer<typeof Question>

const QuestionText = Text(2000)
const Explanation = Text(5000, 0)

/** A question as it is sent. Older data names its text `question` and its explanation `explanation`. */
export const QuestionInput = z
  .strictObject({
    ...fields,
    trainingQuizQuestion: z.string().max(5000).optional(),
    question: z.string().max(5000).optional(),
    trainingQuizExplanation: Explanation.nullish(),
    explanation: Explanation.nullish(),
  })
  .transform(({ question, explanation, trainingQuizQuestion, trainingQuizExplanation, ...rest }, context): Question => {
    const text = QuestionText.safeParse(trainingQuizQuestion ?? question ?? '')
    if (!text.success)
      context.addIssue({
        code: 'custom',
        path: ['trainingQuizQuestion'],
        message: text.error.issues[0]?.message ?? 'is required',
      })
    const count = rest.type === 'true_false' ? 2 : rest.options.length
    const isChoice = rest.type === 'multiple_choice' || rest.type === 'true_false'
    if (isChoice && rest.correctAnswer !== null && rest.correctAnswer >= count)
      context.addIssue({ code: 'custom', path: ['correctAnswer'], message: 'names an answer that is not there' })
    if (rest.type === 'multiple_select' && rest.correctAnswers.some((index) => index >= count))
      context.addIssue({ code: 'custom', path: ['correctAnswers'], message: 'names an answer that is not there' })
    return {
      ...rest,
      correctAnswers: [...new Set(rest.correctAnswers)].sort((a, b) => a - b),
      trainingQuizQuestion: text.data ?? '',
      trainingQuizExplanation: trainingQuizExplanation ?? explanation ?? '',
    }
  })

/** A question of a mixed lesson: no multiple_select, and a choice has its answers filled in. */
export const MixedQuestionInput = QuestionInput.superRefine((question, context) => {
  if (question.type === 'multiple_select')
    context.addIssue({ code: 'custom', path: ['type'], message: 'Mixed lessons have no multiple_select questions.' })
  if (question.type === 'multiple_choice' && (question.options.length < 2 || question.options.includes('')))
    context.addIssue({
      code: 'custom',
      path: ['options'],
      message: 'Fill in every answer of a multiple-choice question.',
    })
})

/** Can the server tell a right answer from a wrong one? */
export function isScored(question: Question): boolean {
  if (question.type === 'short_answer') return question.acceptedAnswers.length > 0
  if (question.type === 'multiple_select') return question.correctAnswers.length > 0
  return question.correctAnswer !== null
}

/** A choice question whose right answer nobody has marked. A short answer may go unscored on purpose. */
export const lacksAnswer = (question: Question): boolean => question.type !== 'short_answer' && !isScored(question)

/** Can a learner take this quiz? One with nothing to score tells nobody apart, so nobody passes it. */
export const isScorable = (questions: readonly Question[]): boolean => questions.some(isScored)

/** What a learner answers: the index of an option, several, or words. */
export const Answer = z.union([
  z
    .int()
    .min(0)
    .max(MAX_OPTIONS - 1),
  z.array(z.int().min(0)).max(MAX_OPTIONS),
  z.string().max(2000),
])
export type Answer = z.infer<typeof Answer>

const plain = (text: string) => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

/** Is it right? Nothing when the question cannot be scored. The preview and the server ask the same. */
export function isRight(question: Question, answer: Answer | undefined): boolean | undefined {
  if (!isScored(question)) return undefined
  if (answer === undefined) return false
  switch (question.type) {
    case 'short_answer':
      return (
        typeof answer === 'string' && question.acceptedAnswers.some((accepted) => plain(accepted) === plain(answer))
      )
    case 'multiple_select': {
      if (!Array.isArray(answer)) return false
      const given = new Set(answer)
      return given.size === question.correctAnswers.length && question.correctAnswers.every((index) => given.has(index))
    }
    case 'multiple_choice':
    case 'true_false':
      return answer === question.correctAnswer
  }
}

/** The result of a quiz: points of the scored questions, and the share of them in whole percent, rounded down. */
export function scoreOf(questions: readonly Question[], answers: ReadonlyMap<string, Answer>) {
  const scored = questions.filter(isScored)
  const possible = scored.reduce((sum, { points }) => sum + points, 0)
  const right = scored.filter((question) => isRight(question, answers.get(question.id)))
  const earned = right.reduce((sum, { points }) => sum + points, 0)
  return { earned, possible, percent: possible === 0 ? 0 : Math.floor((earned * 100) / possible) }
}

/** Is that enough to pass? Never when there was nothing to score, whatever the passing score is. */
export const isPassing = ({ possible, percent }: { possible: number; percent: number }, passingScore: number) =>
  possible > 0 && percent >= passingScore
