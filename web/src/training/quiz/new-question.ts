import type { Question } from '@limber/contract/training/lessons/question.ts'
import { isSame } from '#ui/form/use-versioned-save.ts'
import { nextId } from '../lessons/next-id.ts'

/** An empty question. Its id is the current time, made unique. */
export function newQuestion(): Question {
  return {
    id: String(nextId()),
    trainingQuizQuestion: '',
    type: 'multiple_choice',
    options: ['', '', '', ''],
    correctAnswer: null,
    correctAnswers: [],
    acceptedAnswers: [],
    trainingQuizExplanation: '',
    points: 1,
  }
}

/** A copy of the question with a new id. */
export const copyOf = (question: Question): Question => ({ ...question, id: String(nextId()) })

/** Whether the draft has changes that are not in the quiz yet. */
export function hasChanges(draft: Question, before: Question | undefined): boolean {
  const { id: _, ...start } = before ?? newQuestion()
  const { id: __, ...is } = draft
  return !isSame(is, start)
}

const isChoice = ({ type }: Question) => type === 'multiple_choice' || type === 'multiple_select'

/** Removes blank answers and adjusts the indexes of the correct ones. */
export function withoutBlanks(question: Question): Question {
  const { options, correctAnswer, correctAnswers } = question
  const kept = options.flatMap((option, index) => (option.trim() === '' ? [] : [index]))
  // With fewer than two answers there is no choice, so an unfinished question stays as it is.
  if (!isChoice(question) || kept.length < 2 || kept.length === options.length) return question
  const placeOf = (index: number) => kept.indexOf(index)
  return {
    ...question,
    options: kept.map((index) => options[index] ?? ''),
    correctAnswer: correctAnswer !== null && kept.includes(correctAnswer) ? placeOf(correctAnswer) : null,
    correctAnswers: correctAnswers.filter((index) => kept.includes(index)).map(placeOf),
  }
}

/** The confirmation before an unfinished question is discarded. */
export const discardQuestion = {
  title: 'Discard the question you are writing?',
  action: 'Discard',
  cancel: 'Keep editing',
  isDestructive: true,
}

/** Why a question cannot be saved yet; undefined if it can. */
export function questionProblem(question: Question, isMixed: boolean): string | undefined {
  if (question.trainingQuizQuestion.trim() === '') return 'The question is required.'
  if (isMixed && isChoice(question) && question.options.some((option) => option.trim() === ''))
    return 'Fill in every answer of the multiple-choice question.'
  if (!(question.points >= 1)) return 'A question must be worth at least 1 point.'
  return undefined
}
