import { z } from 'zod'
import { Text } from '#kit/values.ts'

export const QuestionType = z.enum(['multiple_choice', 'multiple_select', 'true_false', 'short_answer'])
export type QuestionType = z.infer<typeof QuestionType>

export const MAX_OPTIONS = 10
export const MAX_QUESTIONS = 200

const Option = Text(1000, 0)

const fields = {
  /** Set by the client that adds the question; unique within its quiz. */
  id: z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'may contain only letters, digits and _ . -'),
  type: QuestionType.default('multiple_choice'),
  options: z.array(Option).max(MAX_OPTIONS, 'A question can have at most 10 answers.').default(['', '', '', '']),
  /** The index of the correct option. For true_false, 0 is True and 1 is False. */
  correctAnswer: z
    .int()
    .min(0)
    .max(MAX_OPTIONS - 1)
    .nullable()
    .default(null),
  /** For multiple_select: the indexes of all correct options. */
  correctAnswers: z
    .array(
      z
        .int()
        .min(0)
        .max(MAX_OPTIONS - 1),
    )
    .max(MAX_OPTIONS)
    .default([]),
  /** For short_answer: the correct answers, compared without case and extra spaces. Empty: not scored. */
  acceptedAnswers: z.array(Text(500)).max(20).default([]),
  points: z.int().min(1, 'A question must be worth at least 1 point.').max(1000).default(1),
}

/** A question as replies contain it. */
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

/** A question as requests send it. Older data calls the text `question` and the explanation `explanation`. */
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
      context.addIssue({ code: 'custom', path: ['correctAnswer'], message: 'refers to an answer that does not exist' })
    if (rest.type === 'multiple_select' && rest.correctAnswers.some((index) => index >= count))
      context.addIssue({ code: 'custom', path: ['correctAnswers'], message: 'refers to an answer that does not exist' })
    return {
      ...rest,
      correctAnswers: [...new Set(rest.correctAnswers)].sort((a, b) => a - b),
      trainingQuizQuestion: text.data ?? '',
      trainingQuizExplanation: trainingQuizExplanation ?? explanation ?? '',
    }
  })

/** A question in a mixed lesson: no multiple_select, and a multiple-choice question needs all its answers. */
export const MixedQuestionInput = QuestionInput.superRefine((question, context) => {
  if (question.type === 'multiple_select')
    context.addIssue({
      code: 'custom',
      path: ['type'],
      message: 'Mixed lessons cannot have multiple_select questions.',
    })
  if (question.type === 'multiple_choice' && (question.options.length < 2 || question.options.includes('')))
    context.addIssue({
      code: 'custom',
      path: ['options'],
      message: 'Fill in every answer of the multiple-choice question.',
    })
})

/** Whether the question has a correct answer to score against. */
export function isScored(question: Question): boolean {
  if (question.type === 'short_answer') return question.acceptedAnswers.length > 0
  if (question.type === 'multiple_select') return question.correctAnswers.length > 0
  return question.correctAnswer !== null
}

/** A choice question with no correct answer marked. A short answer may be unscored on purpose. */
export const isMissingAnswer = (question: Question): boolean => question.type !== 'short_answer' && !isScored(question)

/** Whether a learner can take this quiz. A quiz with nothing to score cannot be passed. */
export const isScorable = (questions: readonly Question[]): boolean => questions.some(isScored)

/** A learner's answer: the index of an option, several indexes, or text. */
export const Answer = z.union([
  z
    .int()
    .min(0)
    .max(MAX_OPTIONS - 1),
  z.array(z.int().min(0)).max(MAX_OPTIONS),
  z.string().max(2000),
])
export type Answer = z.infer<typeof Answer>

const normalizeAnswer = (text: string) => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

/** Whether the answer is correct; undefined if the question is not scored. Used by both the preview and the server. */
export function isCorrect(question: Question, answer: Answer | undefined): boolean | undefined {
  if (!isScored(question)) return undefined
  if (answer === undefined) return false
  switch (question.type) {
    case 'short_answer':
      return (
        typeof answer === 'string' &&
        question.acceptedAnswers.some((accepted) => normalizeAnswer(accepted) === normalizeAnswer(answer))
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

/** The result of a quiz: points over the scored questions, and the percentage, rounded down. */
export function scoreOf(questions: readonly Question[], answers: ReadonlyMap<string, Answer>) {
  const scored = questions.filter(isScored)
  const possible = scored.reduce((sum, { points }) => sum + points, 0)
  const right = scored.filter((question) => isCorrect(question, answers.get(question.id)))
  const earned = right.reduce((sum, { points }) => sum + points, 0)
  return { earned, possible, percent: possible === 0 ? 0 : Math.floor((earned * 100) / possible) }
}

/** Whether the score passes. Never if there was nothing to score, even with a passing score of 0. */
export const isPassing = ({ possible, percent }: { possible: number; percent: number }, passingScore: number) =>
  possible > 0 && percent >= passingScore
