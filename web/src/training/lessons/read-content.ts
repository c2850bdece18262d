import { type ContentOf, type ContentType, defaultContent } from '@limber/contract/training/lessons/content.ts'
import type { Question } from '@limber/contract/training/lessons/question.ts'

type Loose = Record<string, unknown>

/** A question as older data may contain it: text in `question`, explanation in `explanation`. */
export function readQuestion(raw: unknown): Question {
  const given = (typeof raw === 'object' && raw !== null ? raw : {}) as Loose
  const text = (...names: string[]) => String(names.map((name) => given[name]).find((value) => value != null) ?? '')
  const list = (name: string): unknown[] => (Array.isArray(given[name]) ? given[name] : [])
  return {
    id: text('id'),
    trainingQuizQuestion: text('trainingQuizQuestion', 'question'),
    type: (given.type ?? 'multiple_choice') as Question['type'],
    options: list('options').map(String),
    correctAnswer: typeof given.correctAnswer === 'number' ? given.correctAnswer : null,
    correctAnswers: list('correctAnswers').map(Number),
    acceptedAnswers: list('acceptedAnswers').map(String),
    trainingQuizExplanation: text('trainingQuizExplanation', 'explanation'),
    points: typeof given.points === 'number' ? given.points : 1,
  }
}

/**
 * Content for the editor and the preview. Unfinished input is not valid yet, so this fills in what is missing and
 * leaves the rest alone.
 */
export function readContent<T extends ContentType>(type: T, content: unknown): ContentOf<T> {
  const given = (typeof content === 'object' && content !== null ? content : {}) as Loose
  const known = Object.keys(defaultContent(type)) as (keyof ContentOf<T> & string)[]
  const merged: Loose = { ...defaultContent(type) }
  for (const name of known) if (given[name] !== undefined) merged[name] = given[name]
  if (Array.isArray(merged.questions)) merged.questions = merged.questions.map(readQuestion)
  if (type === 'mixed' && Array.isArray(merged.components)) merged.components = merged.components.map(readComponent)
  return merged as ContentOf<T>
}

function readComponent(raw: unknown): unknown {
  const component = (typeof raw === 'object' && raw !== null ? raw : {}) as Loose
  const content = (component.content ?? {}) as Loose
  if (component.type !== 'quiz') return { ...component, content }
  return { ...component, content: readContent('quiz', content) }
}
